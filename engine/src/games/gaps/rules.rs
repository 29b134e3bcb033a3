//! The choices in which one Gaps differs from another.

use crate::Fault;
use crate::games::{Fields, Refusal};

/// The values of the field of fixed suits: `none`, and every order of the suits.
const ORDERS: [&str; 25] = [
    "", "CDHS", "CDSH", "CHDS", "CHSD", "CSDH", "CSHD", "DCHS", "DCSH", "DHCS", "DHSC", "DSCH", "DSHC",
    "HCDS", "HCSD", "HDCS", "HDSC", "HSCD", "HSDC", "SCDH", "SCHD", "SDCH", "SDHC", "SHCD", "SHDC",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// How often the loose cards may be gathered and dealt again.
    pub redeals: u8,
    /// A redeal leaves a gap right of each run; else the gaps fall among the cards.
    pub gaps_after_runs: bool,
    /// A 2 in column 1 never moves again. Without effect where suits are fixed.
    pub twos_locked: bool,
    /// A redeal may be taken while cards can move.
    pub early_redeal: bool,
    /// The suit (0..4) of each row, where it is fixed.
    pub fixed_suits: Option<[u8; 4]>,
}

impl Rules {
    pub(super) fn read(fields: &mut Fields) -> Result<Rules, Refusal> {
        let rules = Rules {
            redeals: fields.number("redeals", 3, 0, 99)? as u8,
            gaps_after_runs: fields.word("redeal_gaps", &["random", "after-run"])? == "after-run",
            twos_locked: fields.flag("twos_locked", true)?,
            early_redeal: fields.flag("early_redeal", false)?,
            fixed_suits: suits(fields.word("fixed_suits", &ORDERS)?),
        };
        if rules.redeals > 0 && rules.twos_hop() && !rules.early_redeal {
            return Err(Refusal::Invalid(Fault::new(
                "gaps: redeals with free 2s require early_redeal=yes: while column 1 has a gap a 2 can hop \
                 there from another row, so such a game may never be stuck",
            )));
        }
        Ok(rules)
    }

    /// Returns true if a 2 in column 1 may go to another gap in column 1: the only way to reach a position twice.
    pub fn twos_hop(&self) -> bool {
        !self.twos_locked && self.fixed_suits.is_none()
    }
}

fn suits(order: &str) -> Option<[u8; 4]> {
    let mut suits = order.bytes().map(|letter| match letter {
        b'C' => 0,
        b'D' => 1,
        b'H' => 2,
        _ => 3,
    });
    Some([suits.next()?, suits.next()?, suits.next()?, suits.next()?])
}
