//! Agnes Sorel has no policies of its own in the engine yet.

use super::table::Agnes;
use crate::games::Advised;

impl Advised for Agnes {
    type Policy = ();
}
