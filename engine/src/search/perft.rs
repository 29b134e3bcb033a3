//! Counting move sequences (perft): the quickest way to find that two sets of rules differ.

use super::Game;

/// Positions between two calls of `stop`.
const POLL: u32 = 1024;

/// The limit on `depth`, against typing errors: in a game with cycles the positions of a longer sequence would fill the
/// memory.
pub const MOST_DEPTH: u32 = 10_000;

/// A position on the line being counted.
struct Level<U> {
    /// The index of its first move in `moves`; its moves end where those of the next level begin.
    begin: usize,
    /// The index of the next move to play.
    next: usize,
    /// Takes back the move that led here, if there was one.
    undo: Option<U>,
}

/// Returns the number of move sequences of exactly this length, at most [`MOST_DEPTH`]; `None` if `stop` ended the
/// count.
pub fn perft<G: Game>(game: &mut G, depth: u32, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut count: u64 = 0;
    let mut until_poll = POLL;
    let mut moves = Vec::new();
    game.moves(&mut moves);
    // An explicit stack, because a sequence may have any length in a game with cycles.
    let mut line = vec![Level { begin: 0, next: 0, undo: None }];
    loop {
        let height = line.len();
        let Some(level) = line.last_mut() else { return Some(count) };
        if let Some(undo) = level.undo.take() {
            game.undo(moves[level.next - 1], undo);
        }
        let is_last = height == depth as usize;
        if is_last {
            // Each move here ends a sequence, and need not be played to be counted.
            count = count.saturating_add((moves.len() - level.begin) as u64);
        }
        if is_last || level.next == moves.len() {
            moves.truncate(level.begin);
            line.pop();
            continue;
        }
        until_poll -= 1;
        if until_poll == 0 {
            until_poll = POLL;
            if stop() {
                return None;
            }
        }
        level.undo = Some(game.apply(moves[level.next]));
        level.next += 1;
        let begin = moves.len();
        game.moves(&mut moves);
        line.push(Level { begin, next: begin, undo: None });
    }
}
