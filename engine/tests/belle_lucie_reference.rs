//! La Belle Lucie against maxima that other programs proved; see tests/data/belle-lucie/.

use _engine::games::{FixedGame, Found, Start, open};
use _engine::search::Task;
use serde_json::Value;

fn game() -> Box<dyn FixedGame> {
    open("belle-lucie", Vec::new()).expect("the default rules are supported")
}

fn data(name: &str) -> String {
    let path = format!("{}/../tests/data/belle-lucie/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn rows(name: &str) -> Vec<Value> {
    data(name).lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn text<'a>(row: &'a Value, column: &str) -> &'a str {
    row[column].as_str().unwrap_or_else(|| panic!("no {column} in {row}"))
}

/// Searches and checks what every answer must fulfil: the line is legal and ends with the score.
fn solve(fans: &str) -> Found {
    let (game, position) = (game(), fans.replace('/', "\n"));
    let found = game.solve(&Start::Position(position.clone()), &Task::default(), &mut |_| false).expect(fans);
    let played = game.play(&position, &found.moves).expect("the line is legal");
    assert_eq!(played.score, found.score);
    assert_eq!(played.outcome == Some("won"), found.status.name() == "solved");
    assert!(found.score_proved);
    found
}

fn check(id: &str, fans: &str, best: u64) {
    let found = solve(fans);
    assert_eq!(u64::from(found.score), best, "{id}: {fans}");
    assert_eq!(found.status.name(), if best == 52 { "solved" } else { "unsolvable" }, "{id}");
}

#[test]
fn whole_deals() {
    let rows = rows("deals.jsonl");
    assert_eq!(rows.len(), 120);
    for row in &rows {
        check(text(row, "id"), text(row, "fans"), row["best"].as_u64().expect("best is a number"));
        assert_eq!(solve(text(row, "fans")).status.name(), text(row, "status"));
    }
}

#[test]
fn endgames() {
    let rows = rows("endgames.jsonl");
    assert_eq!(rows.len(), 320);
    for row in &rows {
        check(text(row, "id"), text(row, "fans"), row["best"]["none"].as_u64().expect("best is a number"));
    }
}

#[test]
fn verdicts_of_solvitaire() {
    let rows: Vec<Value> =
        rows("verdicts.jsonl").into_iter().filter(|row| row["variant"] == "one-deal").collect();
    assert_eq!(rows.len(), 50);
    for row in &rows {
        check(text(row, "id"), text(row, "fans"), row["best"].as_u64().expect("best is a number"));
        assert_eq!(solve(text(row, "fans")).status.name(), text(row, "status"));
    }
}

#[test]
fn deals_of_the_peer() {
    let data = data("peer.csv");
    let mut lines = data.lines();
    assert!(lines.next().is_some_and(|header| header.starts_with("id,fans,best,")));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 31);
    for row in rows {
        check(row[0], row[1], row[2].parse().expect("best is a number"));
    }
}
