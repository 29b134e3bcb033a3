"""Typed entry of a table of La Belle Lucie: the fans, and what redeals and mercis add."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unshuffle.advise.answers import count_cards, faces_in, read_one_pack, read_typed_cards
from unshuffle.advise.parts import Draft, Origin, Setting
from unshuffle.advise.typed import TypedPlaces
from unshuffle.cards import PACK, Card, format_cards
from unshuffle.errors import Faults, Place
from unshuffle.games.belle_lucie import BelleLucie, State
from unshuffle.layout import Line, Seen, Token, read_cards
from unshuffle.numbers import plural

_TYPING = """\
Type one fan per answer, its bottom card first and the playable card last: KH 2S 8S, or k♥ 2s 8s.
The entry ends by itself when all cards are there, or with a blank answer.
`3: KH 2S 8S` sets fan 3; `Deck:` and all cards in deal order lay out everything. Many lines may be pasted."""
_POSITIONS = """
Cards in no fan are on the foundations. For a position in play there are also
`Deal: 2`, `Merci: 0` (mercis left) and `Foundations: 5C AH`."""


class TypedFans(TypedPlaces):
    """Typed entry of the fans; the foundations follow from them."""

    game: BelleLucie
    example = "KH 2S 8S"
    empty_words = ""

    def help(self, setting: Setting) -> str:
        """Return the help on typing fans."""
        return _TYPING if setting.origin is Origin.REDEAL else _TYPING + _POSITIONS

    def deal(self, line: Line, setting: Setting) -> Draft:
        """Return the draft of a whole deck, or after a redeal of just the cards that it brought."""
        if setting.origin is Origin.REDEAL:
            size, cards = self.game.rules.fan_size, read_typed_cards(line)
            return Draft(tuple(format_cards(cards[start : start + size]) for start in range(0, len(cards), size)))
        return Draft(super().deal(line, setting).cells)

    def read_deck(self, line: Line) -> tuple[Card, ...]:
        """Return the deck of a `Deck:` line."""
        return read_one_pack(line, self.game.pack)

    def expected(self, draft: Draft, setting: Setting) -> int:
        """Return how many cards there are in fans when nothing is missing."""
        if setting.origin is Origin.REDEAL:
            return 52 - int(setting.state.score)
        up = sum(card.rank for card in faces_in(draft.labels.get("foundations", "")))
        if not up and self.game.rules.aces_out:
            up = 0 if any(card.rank == 1 for card in cards_of(draft)) else 4
        return 52 - up

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Return whether as many cards are typed as there are to deal."""
        return sum(map(count_cards, draft.cells)) >= self.expected(draft, setting)

    def faults(self, draft: Draft, setting: Setting, *, early: bool = False) -> list[str]:
        """Return the faults. If one word is wrong and one card is missing, the repair is named."""
        texts = super().faults(draft, setting, early=early)
        if early:
            return texts
        in_play = {card for card in PACK if setting.state is None or card.rank > setting.state.foundations[card.suit]}
        missing = sorted(in_play - set(cards_of(draft)))
        wrong = [text for text in texts if text.startswith("fan ") and (" is not a card" in text or " twice " in text)]
        is_full = sum(map(count_cards, draft.cells)) == self.expected(draft, setting)
        if len(missing) != 1 or len(wrong) != 1 or not is_full:
            return texts
        return [f"{text}; the only card missing is {missing[0]}" if text == wrong[0] else text for text in texts]

    def check_now(self, table: State, start: State) -> Iterator[str]:
        """Yield what contradicts the start: cards that are up and mercis that are spent never come back."""
        back = [card for fan in table.fans for card in fan if card.rank <= start.foundations[card.suit]]
        if back:
            yield f"{format_cards(back)}: on a foundation when this deal began, so not in a fan now"
        if table.mercis > start.mercis:
            yield f"{plural(table.mercis, 'merci')} left, but the deal began with {start.mercis}"

    def lay_out(self, draft: Draft, setting: Setting) -> Any:
        """Return the state of the draft; after a redeal the state to which it led."""
        if setting.origin is not Origin.REDEAL:
            return super().lay_out(draft, setting)
        before: State = setting.state
        found = Faults()
        self._check_redeal(draft, before, found)
        found.check()
        return before.play(self.game.parse_move(redeal_token(draft), before))

    def _check_redeal(self, draft: Draft, before: State, found: Faults) -> None:
        """Note what differs from a redeal: the cards that were in the fans, each once, in fans of the right size."""
        seen = Seen(found)
        left = 52 - before.score
        full, rest = divmod(left, self.game.rules.fan_size)
        sizes = [self.game.rules.fan_size] * full + [rest] * (rest > 0)
        for number, cell in enumerate(draft.cells, 1):
            tokens = [Token(word, Place(number, 1)) for word in cell.split() if word != "-"]
            for card, place in read_cards(tokens, found):
                if card.rank <= before.foundations[card.suit]:
                    found.add(f"'{card}' is on its foundation, so no redeal brings it", place)
                else:
                    seen.is_new(card, place)
            size, count = sizes[number - 1] if number <= len(sizes) else 0, count_cards(cell)
            if count != size:
                expected = (
                    f"expected {size}" if size else f"but {plural(left, 'card')} make {plural(len(sizes), 'fan')}"
                )
                found.add(f"{plural(count, 'card')}, {expected}", Place(number, 52))
        missing = {card for fan in before.fans for card in fan} - seen.places.keys()
        if missing:
            found.add(f"missing: {format_cards(sorted(missing))}")


def cards_of(draft: Draft) -> Iterator[Card]:
    """Yield the cards of the fans."""
    for cell in draft.cells:
        yield from faces_in(cell)


def redeal_token(draft: Draft) -> str:
    """Return the token of the redeal that brought these fans."""
    return f"r={''.join(map(str, cards_of(draft)))}"
