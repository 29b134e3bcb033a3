//! Reading the fields of a game's rules.

use super::Refusal;
use crate::Fault;

/// The fields of a game's rules as text. Each method takes one field out; an absent field has its default.
pub struct Fields {
    pub(crate) game: &'static str,
    pub(crate) given: Vec<(String, String)>,
}

impl Fields {
    #[cfg(test)]
    pub fn for_tests(given: Vec<(String, String)>) -> Fields {
        Fields { game: "a game", given }
    }

    fn take<T>(
        &mut self,
        name: &str,
        default: T,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, Refusal> {
        match self.given.iter().position(|(field, _)| field == name) {
            None => Ok(default),
            Some(place) => {
                let (_, value) = self.given.swap_remove(place);
                read(&value).map_err(|expected| {
                    let text = format!("{}: {name}={value:?} is not allowed; expected {expected}", self.game);
                    Refusal::Invalid(Fault::new(text))
                })
            }
        }
    }

    /// Returns a number from `least` to `most`.
    pub fn number(&mut self, name: &str, default: u32, least: u32, most: u32) -> Result<u32, Refusal> {
        self.take(name, default, |value| match value.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(format!("a number from {least} to {most}")),
        })
    }

    /// Returns a flag, written `yes` or `no`.
    pub fn flag(&mut self, name: &str, default: bool) -> Result<bool, Refusal> {
        self.take(name, default, |value| match value {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err("yes or no".to_string()),
        })
    }

    /// Returns one of several words; the first is the default.
    pub fn word(&mut self, name: &str, words: &[&'static str]) -> Result<&'static str, Refusal> {
        self.take(name, words[0], |value| {
            words.iter().copied().find(|&word| word == value).ok_or_else(|| words.join(", "))
        })
    }

    pub(super) fn finish(self) -> Result<(), Fault> {
        match self.given.first() {
            None => Ok(()),
            Some((name, _)) => Err(Fault::new(format!("{} has no rule {name:?}", self.game))),
        }
    }
}
