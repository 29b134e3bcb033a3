//! Search traces as lines of JSON.

use std::fmt::Write;

use super::Playable;
use crate::search::{Cut, Tracer};

/// Characters that are buffered between two calls of `write`.
const CHUNK: usize = 1 << 16;

/// Writes a JSON object for every position, with the same keys as the Python side.
pub struct JsonTracer<'a> {
    write: &'a mut dyn FnMut(&str),
    text: String,
    /// The move that leads to the next position, and whether it was forced; taken when the position is written.
    came_by: Option<(Option<String>, bool)>,
}

impl<'a> JsonTracer<'a> {
    pub fn new(write: &'a mut dyn FnMut(&str)) -> JsonTracer<'a> {
        JsonTracer { write, text: String::new(), came_by: Some((None, false)) }
    }

    /// Writes the rest of the buffer.
    pub fn finish(mut self) {
        self.hand_on();
    }

    fn hand_on(&mut self) {
        if !self.text.is_empty() {
            (self.write)(&self.text);
            self.text.clear();
        }
    }
}

impl<G: Playable> Tracer<G> for JsonTracer<'_> {
    fn play(&mut self, game: &G, m: G::Move, is_forced: bool) {
        self.came_by = Some((Some(game.token(m)), is_forced));
    }

    fn come_to(&mut self, game: &G, depth: usize, cut: Cut) {
        // A limit may end the search at a position that is already written.
        let Some((token, is_forced)) = self.came_by.take() else { return };
        let (position, token) = (quoted(Some(&game.text())), quoted(token.as_deref()));
        let (cut, key): (_, u128) = (quoted(cut.name()), game.key().into());
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.text,
            "{{\"position\": {position}, \"move\": {token}, \"depth\": {depth}, \"cut\": {cut}, \
             \"forced\": {is_forced}, \"key\": \"{key:032x}\"}}"
        );
        if self.text.len() >= CHUNK {
            self.hand_on();
        }
    }
}

/// Returns the text as a JSON string; null for none.
fn quoted(text: Option<&str>) -> String {
    let Some(text) = text else { return "null".to_string() };
    let mut out = String::with_capacity(text.len() + 16);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
