"""The piles of Agnes Sorel as a person types them: the base card first, from which the foundations begin."""

from __future__ import annotations

from collections.abc import Iterator

from unshuffle.advise.answers import cards_in, read_one_pack
from unshuffle.advise.parts import Draft, Setting
from unshuffle.advise.typed import TypedPlaces
from unshuffle.cards import RANKS, Card, Suit
from unshuffle.errors import RefusedError, quote
from unshuffle.games.agnes import Agnes, View
from unshuffle.games.agnes.places import SUIT_ORDER
from unshuffle.layout import Line
from unshuffle.places.text import EMPTY

_TYPING = """\
First the base card, then one pile per answer, its bottom card first and the playable card last: 9H 8H, or 9♥ 8♥.
The stock is counted by itself: a blank answer ends the entry."""
_DOWN = """
A single card is a pile as it was dealt. Else say how many cards lie face down under the others:
`2 9H 8H` or `[## ##] 9H 8H`, `0 9H` if none."""
_POSITIONS = """
`3: 9H 8H` sets pile 3, `-` is an empty one. `Deck:` and all cards in deal order lay out everything; what is
hidden stays hidden. For a position in play type `Base: 7` and `Foundations: 9C - 7S -` (the order is C D S H) first.
Many lines may be pasted."""
_BASE_CARD = "base card"


class TypedPiles(TypedPlaces):
    """Typed entry of the base card and the piles; the stock is counted automatically."""

    game: Agnes
    empty_words = ""
    comment = "that is a comment; in brackets `##` is a face-down card: [## ##] 9H"
    asked = ("stock",)
    is_dealt_at_once = False

    def help(self, setting: Setting) -> str:
        """Return the help on typing piles."""
        return _TYPING + ("" if self.game.rules.face_up else _DOWN) + _POSITIONS

    def wanted(self, draft: Draft) -> str:
        """Return what is asked for next: first the base card, or of a position in play base and foundations."""
        told = [label for label in ("base", "foundations") if label in draft.labels]
        if len(told) == 2:
            return super().wanted(draft)
        return {"base": "foundations", "foundations": "base"}[told[0]] if told else _BASE_CARD

    def read_label(self, label: str, line: Line) -> dict[str, str]:
        """Return the labels that an answer sets; the base card sets the base, and is the first card up."""
        if label != _BASE_CARD:
            return super().read_label(label, line)
        words = [token.text for token in line.tokens]
        cards = cards_in(words[0])
        if len(words) != 1 or len(cards) != 1:
            raise RefusedError(
                f"{quote(' '.join(words))} is not the base card: type the one card that is up,"
                " or for a position in play `Base: 7` and `Foundations: 9C - 7S -` (the order is C D S H)"
            )
        (card,) = cards
        tops = (str(card) if suit is card.suit else EMPTY for suit in SUIT_ORDER)
        return {"base": RANKS[card.rank - 1], "foundations": " ".join(tops)}

    def read_deck(self, line: Line) -> tuple[Card, ...]:
        """Return the deck of a `Deck:` line, with the ranks in use."""
        return read_one_pack(line, self.game.pack)

    def base(self, draft: Draft) -> int:
        """Return the rank of the base card; 0 if it is not typed yet."""
        return RANKS.find(draft.labels.get("base", "").upper() or "?") + 1

    def check_now(self, table: View, start: View) -> Iterator[str]:
        """Yield what contradicts the start: cards that went up, were turned up or dealt never come back."""
        if table.base != start.base:
            yield f"the base is {RANKS[table.base - 1]}, but the game began with {RANKS[start.base - 1]}"
            return
        for suit in Suit:
            if table.foundations[suit] < start.foundations[suit]:
                yield f"{suit.word}: cards are missing that were up when the game began"
        if table.stock > start.stock:
            yield f"{table.stock} cards are in the stock, but the game began with {start.stock}"
        yield from super().check_now(table, start)
