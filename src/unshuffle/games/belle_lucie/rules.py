"""La Belle Lucie: the rules. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import PACK, Card, Suit, format_cards
from unshuffle.errors import IllegalMoveError
from unshuffle.game import Outcome
from unshuffle.games.belle_lucie.moves import Merci, Move, Redeal, ToFan, ToFoundation, ToSpace
from unshuffle.rulebook import check_fields
from unshuffle.views import OpenView, Pictured

if TYPE_CHECKING:
    import random

_ALLOWED: dict[str, Iterable[object]] = {
    "redeals": range(10),
    "merci": ("none", "play", "front", "anywhere", "second"),
    "merci_count": range(1, 10),
    "merci_deals": ("last", "any"),
    "build": ("suit", "any"),
    "build_up": (False, True),
    "kings_to_spaces": (False, True),
    "aces_out": (False, True),
    "fan_size": range(1, 14),
    "max_cards": range(1_000_000_000),
    "fans": (0, 18),
    "may_hold_back": (False, True),
}

Fan = tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The choices in which one Belle Lucie differs from another."""

    allowed: ClassVar[Mapping[str, Iterable[object]]] = _ALLOWED
    """The values that a field may have; a field that is not here has a rule of its own."""

    redeals: int = 0
    """How often the rest may be gathered, shuffled and dealt again."""
    merci: str = "none"
    """Whether a buried card may be taken out, and where it may go: none, play, front, anywhere or second."""
    merci_count: int = 1
    """How many mercis there are in the whole game."""
    merci_deals: str = "last"
    """`last`: only when no redeal is left; `any`: in every deal."""
    build: str = "suit"
    """`suit`: cards are built on their own suit; `any`: suits do not matter."""
    build_up: bool = False
    """Cards may be built on the next lower card too."""
    kings_to_spaces: bool = False
    """A king may move into an empty fan."""
    aces_out: bool = False
    """The aces start on the foundations, and the other 48 cards are dealt."""
    fan_size: int = 3
    """Cards per fan in a deal."""
    max_cards: int = 0
    """A fan that holds so many takes no card; 0: no limit."""
    fans: int = 0
    """18: sixteen fans of three, then two of two; 0: as many as the cards fill."""
    may_hold_back: bool = True
    """A redeal is allowed while some top card fits a foundation."""

    def __post_init__(self) -> None:
        check_fields(self, _ALLOWED)

    @property
    def bases(self) -> Mapping[Card, tuple[Card, ...]]:
        """For each card those onto which it may be built."""
        return _bases(self.build, self.build_up)


@cache
def _bases(build: str, build_up: bool) -> Mapping[Card, tuple[Card, ...]]:
    steps = (1, -1) if build_up else (1,)
    return {
        card: tuple(
            onto for onto in PACK if onto.rank - card.rank in steps and (build == "any" or onto.suit is card.suit)
        )
        for card in PACK
    }


@dataclass(frozen=True, slots=True)
class State(Pictured):
    """A table: fans with the bottom card first, the rank reached on each suit's foundation, and the redeals."""

    game_id: ClassVar[str] = "belle-lucie"

    rules: Rules
    fans: tuple[Fan, ...]
    foundations: tuple[int, int, int, int] = (0, 0, 0, 0)
    deal: int = 1
    """The number of this deal, which every redeal raises by one."""
    mercis: int = 0
    """Mercis left in the game."""
    redeals: tuple[Fan, ...] = ()
    """The orders of the coming redeals as far as they are known, the next one first: just the cards in the fans."""
    id: str | None = field(default=None, compare=False)

    # Legal moves.

    @property
    def redeals_left(self) -> int:
        """How often the rest may still be dealt again."""
        return self.rules.redeals - (self.deal - 1)

    @property
    def may_redeal(self) -> bool:
        """True if a redeal is allowed now, whether its order is known or not."""
        return (
            self.redeals_left > 0
            and any(self.fans)
            and (self.rules.may_hold_back or not any(fan and self._fits(fan[-1]) for fan in self.fans))
        )

    @property
    def can_redeal(self) -> bool:
        """True if a redeal is allowed whose order is not known."""
        return not self.redeals and self.may_redeal

    @property
    def may_merci(self) -> bool:
        """True if a merci is left and this is a deal for it."""
        return self.mercis > 0 and (self.rules.merci_deals == "any" or not self.redeals_left)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return every move: foundations, builds, kings to a space, mercis (by fan, bottom card first), the redeal.

        Each kind is ordered by the fan that the card comes from, then by the fan that it goes to.
        """
        return tuple(self.each_move())

    def each_move(self) -> Iterator[Move]:
        """Yield the legal moves one by one, for callers that do not need all of them."""
        rules = self.rules
        tops = [fan[-1] for fan in self.fans if fan]
        for card in tops:
            if card.rank == self.foundations[card.suit] + 1:
                yield ToFoundation(card)
        bases = rules.bases
        room = rules.max_cards or 52
        takers = {fan[-1]: number for number, fan in enumerate(self.fans) if 0 < len(fan) < room}
        for card in tops:
            for onto in _by_fan(bases[card], takers):
                yield ToFan(card, onto)
        if rules.kings_to_spaces and () in self.fans:
            # A king that lies alone would change nothing.
            yield from (ToSpace(fan[-1]) for fan in self.fans if len(fan) > 1 and fan[-1].rank == 13)
        if self.may_merci:
            for fan in self.fans:
                yield from self._mercis(fan, takers)
        if self.redeals and self.may_redeal:
            yield Redeal()

    def _mercis(self, fan: Fan, takers: Mapping[Card, int]) -> Iterator[Merci]:
        kind = self.rules.merci
        for card in fan[-2:-1] if kind == "second" else fan[:-1]:
            if self._fits(card):
                yield Merci(card, up=True)
            targets = takers if kind == "anywhere" else _by_fan(self.rules.bases[card], takers)
            yield from (Merci(card, onto) for onto in targets if onto is not fan[-1])
            if self._may_lift(card, fan[-1]):
                yield Merci(card)

    def _fits(self, card: Card) -> bool:
        return card.rank == self.foundations[card.suit] + 1

    def _may_lift(self, card: Card, top: Card) -> bool:
        """Return whether a merci may bring the card to the top of its own fan, which is never too full for it."""
        kind = self.rules.merci
        return kind in ("front", "anywhere") or (kind == "play" and top in self.rules.bases[card])

    # Play.

    def play(self, move: Move) -> State:
        """Return the table after the move."""
        asked, move = move, self.plain(move)
        reason = self._why_not(move)
        if reason:
            raise IllegalMoveError(asked.token, self._one_line(), reason)
        if isinstance(move, Redeal):
            order = self.redeals[0] if move.order is None else move.order
            fans = _in_fans(order, self.rules.fan_size)
            return replace(self, fans=fans, deal=self.deal + 1, redeals=self.redeals[1:])
        card = move.card
        piles = list(self.fans)
        source = self._place(card)
        piles[source] = tuple(other for other in piles[source] if other is not card)
        foundations, redeals = self.foundations, self.redeals
        if isinstance(move, ToFoundation) or (isinstance(move, Merci) and move.up):
            clubs, diamonds, hearts, spades = (card.rank if card.suit is suit else foundations[suit] for suit in Suit)
            foundations = (clubs, diamonds, hearts, spades)
            # A card that is up is dealt no more; when the last one is up, no redeal is to come.
            left = (tuple(other for other in order if other is not card) for order in redeals)
            redeals = tuple(filter(None, left))
        else:
            if isinstance(move, ToSpace):
                target = self.fans.index(())
            else:
                target = source if move.onto is None else self._place(move.onto)
            piles[target] = (*piles[target], card)
        # Where kings may not fill it, an emptied fan leaves the table.
        fans = tuple(piles) if self.rules.kings_to_spaces else tuple(filter(None, piles))
        mercis = self.mercis - isinstance(move, Merci)
        return State(self.rules, fans, foundations, self.deal, mercis, redeals, self.id)

    def plain(self, move: Move) -> Move:
        """Return the move as `legal_moves` lists it: a merci onto the top of its own fan names no target."""
        if isinstance(move, Merci) and move.onto is not None:
            own = next((fan for fan in self.fans if move.card in fan), ())
            if own and own[-1] is move.onto and own[-1] is not move.card:
                return Merci(move.card)
        return move

    def _place(self, card: Card) -> int:
        """Return the number of the fan that holds the card."""
        for number, fan in enumerate(self.fans):
            if card in fan:
                return number
        raise AssertionError(f"{card} is neither in a fan nor up")

    def _one_line(self) -> str:
        return " / ".join(format_cards(fan) or "-" for fan in self.fans)

    # Why a move is illegal.

    def _why_not(self, move: Move) -> str | None:
        """Return the rule that forbids the move, or None."""
        if isinstance(move, Redeal):
            return self._why_not_redeal(move.order)
        card = move.card
        if card.rank <= self.foundations[card.suit]:
            return f"{card} is on its foundation"
        fan = self.fans[self._place(card)]
        if isinstance(move, Merci):
            reason = self._why_no_merci(card, fan)
            if reason:
                return reason
            if move.onto is None and not move.up:
                return None if self._may_lift(card, fan[-1]) else self._misfit(card, fan[-1])
        elif fan[-1] is not card:
            return f"{card} is not the top of its fan"
        if isinstance(move, ToSpace):
            return self._why_not_space(card, fan)
        if isinstance(move, ToFoundation) or move.onto is None:
            wanted = Card(self.foundations[card.suit] + 1, card.suit)
            return None if wanted is card else f"the foundation of {card.suit.word} needs {wanted} next"
        anywhere = isinstance(move, Merci) and self.rules.merci == "anywhere"
        return self._why_not_onto(card, move.onto, anywhere)

    def _why_no_merci(self, card: Card, fan: Fan) -> str | None:
        if self.rules.merci == "none":
            return "there is no merci in these rules"
        if not self.mercis:
            return "no merci is left"
        if not self.may_merci:
            return "the merci is for the last deal, and a redeal is left"
        if fan[-1] is card:
            return f"{card} is the top of its fan, and a merci takes out a buried card"
        if self.rules.merci == "second" and fan[-2] is not card:
            return f"{card} does not lie directly below the top of its fan"
        return None

    def _why_not_space(self, card: Card, fan: Fan) -> str | None:
        if not self.rules.kings_to_spaces:
            return "an empty fan is gone for good in these rules"
        if card.rank != 13:
            return f"only a king goes into an empty fan, not {card}"
        if len(fan) == 1:
            return f"{card} lies alone in its fan already"
        return None if () in self.fans else "no fan is empty"

    def _why_not_onto(self, card: Card, onto: Card, anywhere: bool) -> str | None:
        if onto.rank <= self.foundations[onto.suit]:
            return f"{onto} is on its foundation"
        target = self.fans[self._place(onto)]
        if target[-1] is not onto:
            return f"{onto} is not the top of its fan"
        if onto not in self.rules.bases[card] and not anywhere:
            return self._misfit(card, onto)
        most = self.rules.max_cards
        return f"the fan of {onto} takes no card: max_cards={most}" if 0 < most <= len(target) else None

    def _misfit(self, card: Card, onto: Card) -> str:
        bases = self.rules.bases[card]
        needs = (
            f"needs {'one of ' if len(bases) > 1 else ''}{format_cards(bases)}" if bases else "a king goes onto no card"
        )
        if onto in bases:
            needs = f"not within its own fan with merci={self.rules.merci}"
        return f"{card} does not go onto {onto}: {needs}"

    def _why_not_redeal(self, order: Fan | None) -> str | None:
        if self.redeals_left <= 0:
            return "no redeal is left" if self.rules.redeals else "there is no redeal in these rules"
        if not any(self.fans):
            return "all cards are up"
        if not self.may_redeal:
            up = next(fan[-1] for fan in self.fans if fan and self._fits(fan[-1]))
            return f"{up} fits its foundation, and in these rules it goes up before a redeal"
        if order is None:
            return None if self.redeals else "the order of this redeal is not known: play r= and the cards as dealt"
        if self.redeals:
            return "the order of this redeal is known: play r"
        left = {card for fan in self.fans for card in fan}
        if set(order) - left:
            return f"{format_cards(sorted(set(order) - left))} cannot be dealt: not in a fan"
        if left - set(order):
            return f"the redeal lacks {format_cards(sorted(left - set(order)))}"
        return "the redeal has a card twice" if len(order) > len(left) else None

    # Status.

    @property
    def outcome(self) -> Outcome | None:
        """Won when all cards are up, stuck when nothing can be done."""
        if not any(self.fans):
            return Outcome.WON
        goes_on = any(True for _ in self.each_move()) or self.can_redeal
        return None if goes_on else Outcome.STUCK

    @property
    def score(self) -> int:
        """Cards on the foundations, those of the start included."""
        return sum(self.foundations)

    def view(self) -> OpenView[State] | RedealView:
        """Return the whole table, for all cards lie face up; what a redeal will bring stays hidden."""
        table = replace(self, redeals=(), id=None)
        return RedealView(table) if self.redeals_left and any(self.fans) else OpenView(table)


@dataclass(frozen=True, slots=True)
class RedealView(Pictured):
    """What a player sees while a redeal may still come."""

    table: State

    @property
    def unknown(self) -> str:
        """What is unknown, in words."""
        return "what the redeals will bring"

    def sample(self, rng: random.Random) -> State:
        """Return the table with every redeal that is left in a random order."""
        cards = [card for fan in self.table.fans for card in fan]
        orders = (tuple(rng.sample(cards, len(cards))) for _ in range(self.table.redeals_left))
        return replace(self.table, redeals=tuple(orders))


def _by_fan(bases: tuple[Card, ...], takers: Mapping[Card, int]) -> list[Card]:
    """Return those of the bases that are tops of fans with room, in the order of the fans."""
    found = [onto for onto in bases if onto in takers]
    if len(found) > 1:
        found.sort(key=takers.__getitem__)
    return found


def _in_fans(cards: Fan, size: int) -> tuple[Fan, ...]:
    return tuple(cards[start : start + size] for start in range(0, len(cards), size))


def lay_out(rules: Rules, cards: Fan) -> State:
    """Deal the cards into fans; those of the pack that are not among them lie on the foundations."""
    if rules.aces_out:
        cards = tuple(card for card in cards if card.rank > 1)
    fans = _in_fans(cards[:48], 3) + _in_fans(cards[48:], 2) if rules.fans else _in_fans(cards, rules.fan_size)
    in_play = set(cards)
    clubs, diamonds, hearts, spades = (sum(card not in in_play for card in PACK if card.suit is suit) for suit in Suit)
    mercis = rules.merci_count if rules.merci != "none" else 0
    return State(rules, fans, (clubs, diamonds, hearts, spades), mercis=mercis)
