//! La Belle Lucie in words: its rules, its layout text and the tokens of its moves.

use super::BelleLucie;
use super::packed::{Move, bit_of, card_at, each};
use crate::Fault;
use crate::cards::{Card, PACK, suit_name};
use crate::games::{Fields, Notation, Refusal};
use crate::rng::Decks;

/// The rules that change a deal. Those that change the play are not supported yet.
pub struct Rules {
    fan_size: usize,
    aces_out: bool,
}

const FOUNDATIONS: &str = "Foundations:";

impl Notation for BelleLucie {
    type Rules = Rules;

    const ID: &'static str = "belle-lucie";
    const DECK: usize = PACK;

    fn rules(fields: &mut Fields) -> Result<Rules, Refusal> {
        // Every field is taken before any is refused: what is left over is unknown.
        let fan_size = fields.number("fan_size", 3, 1, 13)?;
        let aces_out = fields.flag("aces_out", false)?;
        // Without redeals and mercis these three have no effect.
        fields.flag("may_hold_back", true)?;
        fields.number("merci_count", 1, 1, 9)?;
        fields.word("merci_deals", &["last", "any"])?;
        let redeals = fields.number("redeals", 0, 0, 9)?;
        let merci = fields.word("merci", &["none", "play", "front", "anywhere", "second"])?;
        let build = fields.word("build", &["suit", "any"])?;
        let build_up = fields.flag("build_up", false)?;
        let kings_to_spaces = fields.flag("kings_to_spaces", false)?;
        let max_cards = fields.number("max_cards", 0, 0, u32::MAX)?;
        let fans = fields.number("fans", 0, 0, 18)?;
        if fans != 0 && fans != 18 {
            let text = format!("belle-lucie: fans=\"{fans}\" is not allowed; expected 0 or 18");
            return Err(Refusal::Invalid(Fault::new(text)));
        }
        let others = [
            (redeals != 0, "redeals"),
            (merci != "none", "merci"),
            (build != "suit", "build=any"),
            (build_up, "build_up"),
            (kings_to_spaces, "kings_to_spaces"),
            (max_cards != 0, "max_cards"),
            (fans != 0, "fans=18"),
        ];
        let unsupported: Vec<&str> =
            others.iter().filter(|(given, _)| *given).map(|&(_, name)| name).collect();
        if !unsupported.is_empty() {
            let text = format!("the engine does not support belle-lucie with {}", unsupported.join(", "));
            return Err(Refusal::Unsupported(Fault::new(text)));
        }
        Ok(Rules { fan_size: fan_size as usize, aces_out })
    }

    fn deal(rules: &Rules, decks: &mut Decks) -> BelleLucie {
        let cards = decks.deck(PACK).into_iter().map(Card::at);
        let dealt: Vec<Card> = cards.filter(|card| !(rules.aces_out && card.rank() == 1)).collect();
        let fans: Vec<Vec<Card>> = dealt.chunks(rules.fan_size).map(<[Card]>::to_vec).collect();
        BelleLucie::new(&fans)
    }

    fn parse(_: &Rules, text: &str) -> Result<BelleLucie, Fault> {
        let (mut fans, mut foundations) = (Vec::new(), None);
        for line in text.lines().map(str::trim) {
            if let Some(tops) = line.strip_prefix(FOUNDATIONS) {
                foundations = Some(tops);
            } else if !line.is_empty() && line != "-" {
                fans.push(line.split_whitespace().map(str::parse).collect::<Result<Vec<Card>, Fault>>()?);
            }
        }
        // Without a fan the text must say that the game is won: an empty file is no position.
        if fans.is_empty()
            && !foundations.is_some_and(|tops| tops.split_whitespace().eq(["KC", "KD", "KH", "KS"]))
        {
            return Err(Fault::new("no cards; expected fans, or 'Foundations: KC KD KH KS' for a won game"));
        }
        check(&fans)?;
        Ok(BelleLucie::new(&fans))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let heights = self.heights().map(usize::from);
        if heights != [0; 4] {
            text.push_str(FOUNDATIONS);
            for (suit, &height) in heights.iter().enumerate().filter(|&(_, &height)| height > 0) {
                text.push_str(&format!(" {}", Card::new(suit, height)));
            }
            text.push('\n');
        }
        let mut tops: Vec<u8> = each(self.now.tops).collect();
        // An emptied fan leaves and the others keep their order, so the order at the start still holds.
        tops.sort_unstable_by_key(|&top| self.fan(top));
        for top in tops {
            let mut fan = vec![card_at(top).to_string()];
            let mut below = self.beneath(top);
            while below != 0 {
                let bit = below.trailing_zeros() as u8;
                fan.push(card_at(bit).to_string());
                below = self.beneath(bit);
            }
            fan.reverse();
            text.push_str(&fan.join(" "));
            text.push('\n');
        }
        text
    }

    fn token(&self, m: Move) -> String {
        // Letter by letter: with `format!` the tokens took a tenth of the time of a whole batch.
        let mut token = String::with_capacity(5);
        token.extend(card_at(m.bit()).letters());
        match m {
            Move::ToFoundation(_) => token.push('^'),
            Move::ToSpace(_) => token.push_str(">-"),
            Move::ToFan(bit) => {
                token.push('>');
                token.extend(card_at(bit + 1).letters());
            }
        }
        token
    }

    fn parse_token(&self, token: &str) -> Result<Move, Fault> {
        let is_top = |card: Card| self.now.tops & 1 << bit_of(card) != 0;
        let check_top = |card: Card| {
            if is_top(card) { Ok(()) } else { Err(Fault::new(format!("{card} is not the top of a fan"))) }
        };
        if let Some(card) = token.strip_suffix('^') {
            let card: Card = card.parse()?;
            check_top(card)?;
            if self.playable() & 1 << bit_of(card) == 0 {
                return Err(Fault::new(format!(
                    "{card} does not fit the foundation of {}",
                    suit_name(card.suit())
                )));
            }
            return Ok(Move::ToFoundation(bit_of(card)));
        }
        let Some((card, onto)) = token.split_once('>') else {
            return Err(Fault::new(
                "it is not a move; expected a card and ^, or two cards and > between them",
            ));
        };
        let (card, onto): (Card, Card) = (card.parse()?, onto.parse()?);
        check_top(card)?;
        check_top(onto)?;
        if card.suit() != onto.suit() || card.rank() + 1 != onto.rank() {
            return Err(Fault::new(format!("{card} does not fit {onto}; fans are built down in suit")));
        }
        Ok(Move::ToFan(bit_of(card)))
    }
}

/// Each card at most once, and on the foundations no gap.
fn check(fans: &[Vec<Card>]) -> Result<(), Fault> {
    let mut place = [None; PACK];
    for (number, fan) in fans.iter().enumerate() {
        for &card in fan {
            if let Some(first) = place[card.index()].replace(number + 1) {
                let text = format!("{card} is on the table twice, in fan {first} and in fan {}", number + 1);
                return Err(Fault::new(text));
            }
        }
    }
    for card in Card::all().filter(|card| card.rank() < 13) {
        let higher = Card::new(card.suit(), card.rank() + 1);
        if let (Some(fan), None) = (place[card.index()], place[higher.index()]) {
            let suit = suit_name(card.suit());
            return Err(Fault::new(format!("{suit}: {higher} is nowhere, but {card} is in fan {fan}")));
        }
    }
    Ok(())
}
