//! The same walk compiled for several kinds of processor; the best one is chosen at run time.
//!
//! Most of a search is the rounds of `relax`, four suits side by side. Wide registers, and single instructions for what
//! else takes three, raise the speed from 0.95 to 1.8 million positions a second (`gaps_times 60 0 redeals=0`). So all
//! that a walk calls for each position is inlined into it (`inline(always)`): a function that is only called is
//! compiled for any processor.

use super::visited::Depth;
use super::walk::{Look, Stop, Walk};

/// A kind of processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    Any,
    /// With AVX2, as most have.
    #[cfg(target_arch = "x86_64")]
    Wide(Wide),
    /// With AVX-512.
    #[cfg(target_arch = "x86_64")]
    Wider(Wider),
}

/// Proof that the processor has what `Build::Wide` needs: only `Wide::found` makes it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide(());

/// The same proof for `Build::Wider`.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wider(());

#[cfg(target_arch = "x86_64")]
mod found {
    use std::arch::is_x86_feature_detected as has;

    use super::{Wide, Wider};

    impl Wide {
        pub fn found() -> Option<Wide> {
            let is_there = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
            is_there.then_some(Wide(()))
        }
    }

    impl Wider {
        pub fn found() -> Option<Wider> {
            let is_there = has!("avx512f")
                && has!("avx512vl")
                && has!("avx512dq")
                && has!("avx512vpopcntdq")
                && Wide::found().is_some();
            is_there.then_some(Wider(()))
        }
    }
}

impl Build {
    /// Returns the builds that the processor can run, the best last.
    pub fn all() -> Vec<Build> {
        let mut all = vec![Build::Any];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Wide::found().map(Build::Wide));
            all.extend(Wider::found().map(Build::Wider));
        }
        all
    }

    /// Returns the best build that the processor can run.
    pub fn best() -> Build {
        Build::all().pop().unwrap_or(Build::Any)
    }
}

impl Walk<'_> {
    /// Searches everything that follows from the position on the board.
    pub(super) fn go_on(&mut self, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        match self.build {
            Build::Any => self.go_on_here(depth, look),
            // SAFETY: a `Wide` is made only where the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Build::Wide(_) => unsafe { self.go_on_wide(depth, look) },
            // SAFETY: likewise a `Wider`.
            #[cfg(target_arch = "x86_64")]
            Build::Wider(_) => unsafe { self.go_on_wider(depth, look) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn go_on_wide(&mut self, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        self.go_on_here(depth, look)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn go_on_wider(&mut self, depth: Depth, look: &mut Look) -> Result<(), Stop> {
        self.go_on_here(depth, look)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::WON;
    use super::super::solver_tests::deal;
    use super::super::switches::Switches;
    use super::super::visited::{FULLY, Visited};
    use super::super::walk::{Aim, Table};
    use super::*;

    #[test]
    fn every_build_searches_the_same_positions() {
        for seed in 0..6 {
            for switches in [Switches::ALL, Switches::NONE] {
                for aim in [Aim::Decide, Aim::Maximize] {
                    let found: Vec<_> = Build::all()
                        .into_iter()
                        .map(|build| {
                            let visited = Visited::new(16_000_000, true).expect("that is enough");
                            let table = Table::Own(Box::new(visited));
                            let mut walk = Walk::new(deal(seed), table, switches, aim, WON, 1_000_000);
                            walk.build = build;
                            let mut left = 60;
                            let ended = walk.run(FULLY, &mut |_, best| {
                                left -= 1;
                                if left == 0 { Err(Stop::Share) } else { Ok((256, best)) }
                            });
                            (ended, walk.stats.nodes, walk.stats.blocked, walk.stats.forced_moves, walk.best)
                        })
                        .collect();
                    assert!(found.iter().all(|each| *each == found[0]), "deal {seed}: {found:?}");
                }
            }
        }
    }
}
