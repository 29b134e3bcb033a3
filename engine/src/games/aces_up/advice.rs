//! Aces Up played by policies.

use super::AcesUp;
use crate::games::Advised;

impl Advised for AcesUp {
    type Policy = ();
}
