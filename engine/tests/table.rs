//! The table of games: its rows, what a game lacks, and that it is the only list of games.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use _engine::Fault;
use _engine::envs::LayingTables;
use _engine::games::{
    Face, FixedGame, GAMES, Learning, Phasing, Playing, PlayingOut, Refusal, StoppingDeals, WeighingPlans,
    ids, open, open_as, player,
};
use _engine::rng::Decks;

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path)
}

#[test]
fn ids_are_unique_and_in_order() {
    let unique: BTreeSet<&str> = ids().into_iter().collect();
    assert_eq!(ids(), unique.into_iter().collect::<Vec<_>>());
}

#[test]
fn every_game_opens_with_its_default_rules() {
    for id in ids() {
        let game = open(id, Vec::new()).expect("the default rules are supported");
        let dealt = game.deal(&mut Decks::new(1));
        assert_eq!(game.play(&dealt, &[]).map(|played| played.position), Ok(dealt));
    }
}

/// Returns how many games have the face. The others say that they lack it, in the same words.
fn check_face<F: Face + ?Sized>() -> usize {
    let having = GAMES.iter().filter(|row| match open_as::<F>(row.id, Vec::new()) {
        Ok(_) => true,
        Err(refusal) => {
            let told = format!("the engine has no {} of {}", F::WHAT, row.id);
            assert_eq!(refusal, Refusal::Unsupported(Fault::new(told)));
            false
        }
    });
    let count = having.count();
    assert!(count > 0, "no game has {}", F::WHAT);
    count
}

#[test]
fn what_a_game_lacks_is_told_in_one_message() {
    assert_eq!(check_face::<dyn FixedGame>(), GAMES.len());
    check_face::<dyn LayingTables>();
    check_face::<dyn Playing>();
    // Some game is known to lack each of these, so that the message is tested.
    assert!(check_face::<dyn PlayingOut>() < GAMES.len());
    assert!(check_face::<dyn WeighingPlans>() < GAMES.len());
    assert!(check_face::<dyn StoppingDeals>() < GAMES.len());
    assert!(check_face::<dyn Phasing>() < GAMES.len());
    assert!(check_face::<dyn Learning>() < GAMES.len());
    let told = open_as::<dyn Phasing>("agnes", Vec::new()).err();
    assert_eq!(told, Some(Refusal::Unsupported(Fault::new("the engine has no phases of agnes"))));
}

#[test]
fn a_game_that_is_none_is_told_with_those_that_are() {
    let told = format!("the engine has no game \"no-such-game\"; it has {}", ids().join(", "));
    let refusal = Refusal::Unsupported(Fault::new(told.clone()));
    assert_eq!(open("no-such-game", Vec::new()).err(), Some(refusal.clone()));
    assert_eq!(open_as::<dyn Phasing>("no-such-game", Vec::new()).err(), Some(refusal));
    for policy in ["random", "greedy"] {
        let fault = player("no-such-game", Vec::new(), policy, None).err();
        assert_eq!(fault, Some(Fault::new(told.clone())));
    }
}

fn refusal(id: &str, pairs: &[(&str, &str)]) -> Refusal {
    let given = pairs.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
    open(id, given).err().expect("these rules are refused")
}

#[test]
fn what_is_not_supported_is_told_from_what_is_wrong() {
    let unsupported = |refusal| matches!(refusal, Refusal::Unsupported(_));
    assert!(unsupported(refusal("no-such-game", &[])));
    assert!(!unsupported(refusal("belle-lucie", &[("redeals", "10")])));
    assert!(!unsupported(refusal("belle-lucie", &[("build_up", "true")])));
    assert!(!unsupported(refusal("belle-lucie", &[("merci", "")])));
    assert!(!unsupported(refusal("belle-lucie", &[("reserve", "1")])));
    assert!(!unsupported(refusal("belle-lucie", &[("redeals", "2"), ("reserve", "1")])));
}

#[test]
fn a_refusal_names_field_value_and_what_was_expected() {
    let text = Fault::from(refusal("belle-lucie", &[("fan_size", "14")])).to_string();
    assert_eq!(text, "belle-lucie: fan_size=\"14\" is not allowed; expected a number from 1 to 13");
}

/// Collects all source files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// A game is added by a folder and a row. So no other source names one, not even in a comment or a test.
#[test]
fn games_are_named_in_their_folders_and_in_the_table_alone() {
    let mut sources = Vec::new();
    files(&source(""), &mut sources);
    let folders: Vec<PathBuf> = ids().iter().map(|id| source("games").join(id.replace('-', "_"))).collect();
    for folder in &folders {
        assert!(folder.join("mod.rs").is_file(), "no game lies in {}", folder.display());
    }
    sources.retain(|path| !folders.iter().any(|folder| path.starts_with(folder)));
    sources.retain(|path| *path != source("games/mod.rs"));
    assert!(sources.len() > 30, "{} files", sources.len());
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source can be read").to_lowercase();
        let is_named =
            |id: &&str| ["-", "_", " ", ""].iter().any(|join| text.contains(&id.replace('-', join)));
        assert_eq!(ids().into_iter().find(is_named), None, "{}", path.display());
    }
}
