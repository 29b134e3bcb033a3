//! Agnes Sorel has no policies in the engine yet: what is asked for is refused.

use super::rules::Rules;
use super::table::{Agnes, Move};
use crate::Fault;
use crate::games::{Advised, Plan, Sampled, Sampling};
use crate::search::Watch;

/// There is none.
pub enum Policy {}

impl Advised for Agnes {
    type Policy = Policy;

    fn policy(_: &Rules, name: &str, _: Option<&[u8]>) -> Result<Policy, Fault> {
        Err(Fault::new(format!("the engine has no policy {name:?} of agnes")))
    }

    fn play_by(&self, policy: &Policy, _: &mut Watch) -> Result<Vec<Move>, Fault> {
        match *policy {}
    }

    fn plan(&self, policy: &Policy, _: usize, _: &mut Watch) -> Result<Plan<Move>, Fault> {
        match *policy {}
    }

    fn sample(_: &Rules, _: usize, _: &Sampling<Policy>) -> Sampled {
        unreachable!("there is no state to value")
    }

    fn states() -> usize {
        0
    }
}
