//! Gaps against deals that other programs have searched exhaustively; see tests/data/gaps/.

use super::solver_tests::{Asked, ask, plain, play};
use super::table_tests::variant;
use super::{Gaps, switches::Switches, walk::Aim};
use crate::games::Playable;
use crate::search::{Game, Limits, Status};

/// A row of a data file, by the names of its columns.
struct Row {
    names: Vec<String>,
    cells: Vec<String>,
}

impl Row {
    fn get(&self, name: &str) -> &str {
        let place = self.names.iter().position(|other| other == name);
        place.map_or("", |place| &self.cells[place])
    }

    /// Returns a number; `None` if the cell is empty, or the file has no such column.
    fn number(&self, name: &str) -> Option<u64> {
        self.get(name).parse().ok()
    }

    fn game(&self, name: &str) -> Gaps {
        let text = self.get("layout").replace('/', "\n");
        Gaps::parse(&variant(name), &text).expect("a valid deal")
    }
}

fn rows(name: &str) -> Vec<Row> {
    let path = format!("{}/../tests/data/gaps/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_string).collect::<Vec<_>>());
    let names = lines.next().expect("a line of names");
    lines.map(|cells| Row { names: names.clone(), cells }).collect()
}

/// Checks the verdict, the best score and the stored line of every deal that is small enough.
fn check(name: &str, largest: u64) -> usize {
    let mut checked = 0;
    for row in rows(name).iter().filter(|row| row.number("positions").unwrap_or(0) <= largest) {
        let (id, game) = (row.get("id"), row.game(name));
        let best = row.number("best_locked").expect("a number") as u32;
        let is_solved = row.get("verdict") == "solved";
        assert_eq!(is_solved, best == 48);
        let line: Vec<&str> = row.get("line").split_whitespace().collect();
        assert_eq!(play(&game, &line).score() as u32, best, "{id}");
        let decided = ask(&game, &Asked::default());
        assert_eq!(decided.status == Status::Solved, is_solved, "{id}");
        assert!(decided.status.is_decided() && decided.bound >= best, "{id}");
        let most = ask(&game, &Asked { aim: Aim::Maximize, ..Asked::default() });
        assert_eq!((most.score, most.score_proved), (best, true), "{id}");
        checked += 1;
    }
    checked
}

/// Counts positions and ends of every unsolvable deal that is small enough.
fn count(name: &str, largest: u64) -> usize {
    let mut checked = 0;
    for row in rows(name) {
        let Some(positions) = row.number("positions").filter(|&positions| positions <= largest) else {
            continue;
        };
        let (id, game) = (row.get("id"), row.game(name));
        let limits = Limits { memory: 4 << 30, ..Limits::default() };
        let counted = ask(&game, &Asked { switches: Switches::NONE, limits, ..Asked::default() });
        assert_eq!((counted.stats.nodes, counted.stats.evictions), (positions, 0), "{id}");
        assert_eq!(counted.status, Status::Unsolvable, "{id}");
        if positions < 100_000 {
            let all = plain(&game, usize::MAX).expect("there is no limit");
            assert_eq!(all.positions, positions, "{id}");
            assert_eq!(
                row.number("max_moves").unwrap_or(all.most_moves as u64),
                all.most_moves as u64,
                "{id}"
            );
        }
        if let Some(vectors) = row.number("end_vectors") {
            let aim = Aim::Ends { of_all_positions: false };
            let ends = ask(&game, &Asked { aim, gather: Some(false), ..Asked::default() });
            assert!(ends.is_complete);
            assert_eq!(ends.ends.map(|ends| ends.sorted().len() as u64), Some(vectors), "{id}");
            assert_eq!(Some(u64::from(ends.score)), row.number("best_locked"), "{id}");
        }
        checked += 1;
    }
    checked
}

#[test]
fn verdicts_and_best_scores() {
    assert_eq!(check("addiction-one-deal", 200_000), 45);
    assert_eq!(check("basic", 30_000), 21);
}

#[test]
fn positions_and_ends() {
    assert_eq!(count("addiction-one-deal", 200_000), 5);
    assert_eq!(count("basic", 30_000), 12);
}

#[test]
#[ignore = "every row; the tests above have some of them"]
fn all_verdicts_and_best_scores() {
    assert_eq!(check("addiction-one-deal", u64::MAX), 60);
    assert_eq!(check("basic", u64::MAX), 45);
}

#[test]
#[ignore = "every row; the tests above have some of them"]
fn all_positions_and_ends() {
    assert_eq!(count("addiction-one-deal", u64::MAX), 20);
    assert_eq!(count("basic", u64::MAX), 36);
}
