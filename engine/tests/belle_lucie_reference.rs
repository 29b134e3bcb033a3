//! La Belle Lucie against maxima that other programs proved; see tests/data/belle-lucie/.

use _engine::games::{FixedGame, Found, Start, open};
use _engine::search::Task;
use serde_json::Value;

/// Returns the game with these rules, `field=value` with blanks between them.
fn game(rules: &str) -> Box<dyn FixedGame> {
    let fields = rules.split_whitespace().filter_map(|word| word.split_once('='));
    let fields = fields.map(|(field, value)| (field.to_string(), value.to_string()));
    open("belle-lucie", fields.collect()).expect("these rules are supported")
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
fn solve(rules: &str, position: &str, maximize: bool) -> Found {
    let game = game(rules);
    let task = Task { maximize, ..Task::default() };
    let found = game.solve(&Start::Position(position.to_string()), &task, &mut |_| false).expect(position);
    let played = game.play(position, &found.moves).expect("the line is legal");
    assert_eq!(played.score, found.score);
    assert_eq!(played.outcome == Some("won"), found.status.name() == "solved");
    assert!(!maximize || found.score_proved);
    found
}

/// Checks that the proved maximum is the one of the data.
fn check_best(rules: &str, id: &str, position: &str, best: &Value) {
    let found = solve(rules, position, true);
    assert_eq!(Some(found.score as u64), best.as_u64(), "{id}: {rules}: {position}");
    assert_eq!(found.status.name(), if found.score == 52 { "solved" } else { "unsolvable" }, "{id}");
}

/// Checks one deal with the default task, which proves the maximum too.
fn check(id: &str, fans: &str, best: u64) -> Found {
    let found = solve("", &fans.replace('/', "\n"), false);
    assert!(found.score_proved);
    assert_eq!(found.score as u64, best, "{id}: {fans}");
    assert_eq!(found.status.name(), if best == 52 { "solved" } else { "unsolvable" }, "{id}");
    found
}

#[test]
fn whole_deals() {
    let rows = rows("deals.jsonl");
    assert_eq!(rows.len(), 120);
    for row in &rows {
        let best = row["best"].as_u64().expect("best is a number");
        assert_eq!(check(text(row, "id"), text(row, "fans"), best).status.name(), text(row, "status"));
    }
}

#[test]
fn endgames() {
    let rows = rows("endgames.jsonl");
    assert_eq!(rows.len(), 320);
    for row in &rows {
        for (key, best) in row["best"].as_object().expect("best has keys") {
            let rules = match key.as_str() {
                "none" => "",
                "play" => "merci=play",
                "front" => "merci=front",
                "anywhere" => "merci=anywhere",
                "second" => "merci=second",
                "fan" => "kings_to_spaces=yes",
                "any" => "build=any",
                "shamrocks" => "build=any build_up=yes max_cards=3",
                _ => panic!("{key} names no rules"),
            };
            check_best(rules, text(row, "id"), &text(row, "fans").replace('/', "\n"), best);
        }
    }
}

#[test]
fn verdicts_of_solvitaire() {
    let rows = rows("verdicts.jsonl");
    let (plain, fan): (Vec<&Value>, Vec<&Value>) = rows.iter().partition(|row| row["variant"] == "one-deal");
    assert_eq!((plain.len(), fan.len()), (50, 49));
    for row in plain {
        let best = row["best"].as_u64().expect("best is a number");
        assert_eq!(check(text(row, "id"), text(row, "fans"), best).status.name(), text(row, "status"));
    }
    for row in fan {
        assert_eq!(row["variant"], "fan");
        let found = solve("kings_to_spaces=yes", &text(row, "fans").replace('/', "\n"), false);
        assert_eq!(found.status.name(), text(row, "status"), "{row}");
    }
}

#[test]
fn known_redeals() {
    let rows = rows("redeals.jsonl");
    assert_eq!(rows.len(), 40);
    for row in &rows {
        let orders = row["redeals"].as_array().expect("redeals are a list");
        let line = |(number, order): (usize, &Value)| {
            format!("Redeal {number}: {}\n", order.as_str().expect("an order is text"))
        };
        let fans = text(row, "fans").replace('/', "\n");
        for redeals in 0..=2 {
            let known: String = (1..).zip(&orders[..redeals]).map(line).collect();
            let rules = format!("redeals={redeals}");
            check_best(&rules, text(row, "id"), &(known + &fans), &row["best"][redeals]);
        }
        let known: String = (1..).zip(orders).map(line).collect();
        check_best("redeals=2 merci=play", text(row, "id"), &(known + &fans), &row["best_merci_play"]);
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
