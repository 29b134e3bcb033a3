"""La Belle Lucie: the rules. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from unshuffle.cards import PACK, Card, Suit, format_cards
from unshuffle.errors import IllegalMoveError
from unshuffle.game import OpenView, Outcome
from unshuffle.rulebook import check_fields

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
    "max_cards": range(53),
    "fans": (0, 18),
    "may_hold_back": (False, True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The choices in which one Belle Lucie differs from another."""

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


@dataclass(frozen=True, slots=True)
class ToFoundation:
    """The top card of a fan goes to its suit's foundation."""

    card: Card

    @property
    def token(self) -> str:
        """`AS^`."""
        return f"{self.card}^"


@dataclass(frozen=True, slots=True)
class ToFan:
    """The top card of one fan goes onto the top card of another."""

    card: Card
    onto: Card

    @property
    def token(self) -> str:
        """`8S>9S`."""
        # Cards, not fan numbers: the numbers shift when a fan is emptied.
        return f"{self.card}>{self.onto}"


Move = ToFoundation | ToFan


@dataclass(frozen=True, slots=True)
class State:
    """A table: fans with the bottom card first, and the rank reached on each suit's foundation."""

    game_id: ClassVar[str] = "belle-lucie"

    rules: Rules
    fans: tuple[tuple[Card, ...], ...]
    foundations: tuple[int, int, int, int] = (0, 0, 0, 0)
    id: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        # Imported here, for notation reads and writes the states of this module.
        from unshuffle.games.belle_lucie.notation import format_state

        return format_state(self)

    def legal_moves(self) -> tuple[Move, ...]:
        """Every move, in the order a player looks: foundations, then builds, each by the fan the card comes from."""
        # An emptied fan leaves the table and is never refilled, so every fan has a top.
        tops = [fan[-1] for fan in self.fans]
        moves: list[Move] = [ToFoundation(card) for card in tops if card.rank == self.foundations[card.suit] + 1]
        # Fans are built down in suit: a card goes onto the next card up, and there is only one of that.
        targets = set(tops)
        moves += [ToFan(card, card.next_up) for card in tops if card.next_up is not None and card.next_up in targets]
        return tuple(moves)

    def play(self, move: Move) -> State:
        """The table after the move."""
        reason = self._why_not(move)
        if reason:
            raise IllegalMoveError(move.token, self._one_line(), reason)
        card = move.card
        if isinstance(move, ToFoundation):
            fans = [fan if fan[-1] is not card else fan[:-1] for fan in self.fans]
            heights = list(self.foundations)
            heights[card.suit] = card.rank
            clubs, diamonds, hearts, spades = heights
            foundations = (clubs, diamonds, hearts, spades)
        else:
            onto = move.onto
            fans = [
                fan if fan[-1] is not card and fan[-1] is not onto else fan[:-1] if fan[-1] is card else (*fan, card)
                for fan in self.fans
            ]
            foundations = self.foundations
        return State(self.rules, tuple(filter(None, fans)), foundations, self.id)

    def _why_not(self, move: Move) -> str | None:
        """The rule that forbids the move, or None."""
        card = move.card
        tops = [fan[-1] for fan in self.fans]
        if card not in tops:
            return self._why_not_free(card)
        if isinstance(move, ToFoundation):
            if card.rank == self.foundations[card.suit] + 1:
                return None
            return f"the foundation of {card.suit.word} needs {Card(self.foundations[card.suit] + 1, card.suit)} next"
        if move.onto not in tops:
            return self._why_not_free(move.onto)
        if card.next_up is not move.onto:
            needs = f"needs {card.next_up}" if card.next_up is not None else "a king goes onto no card"
            return f"{card} does not go onto {move.onto}: {needs}"
        return None

    def _why_not_free(self, card: Card) -> str:
        if card.rank <= self.foundations[card.suit]:
            return f"{card} is on its foundation"
        return f"{card} is not the top of its fan"

    def _one_line(self) -> str:
        return " / ".join(format_cards(fan) for fan in self.fans)

    @property
    def outcome(self) -> Outcome | None:
        """Won when all cards are up, stuck when no card can move."""
        if not self.fans:
            return Outcome.WON
        return None if self.legal_moves() else Outcome.STUCK

    @property
    def score(self) -> int:
        """Cards on the foundations, those of the start included."""
        return sum(self.foundations)

    @property
    def can_redeal(self) -> bool:
        """Never: there is no redeal in one deal."""
        return False

    def view(self) -> OpenView[State]:
        """The whole table: in one deal nothing is hidden."""
        return OpenView(State(self.rules, self.fans, self.foundations))


def lay_out(rules: Rules, cards: tuple[Card, ...]) -> State:
    """Deal the cards into fans; those of the pack that are not among them lie on the foundations."""
    if rules.aces_out:
        cards = tuple(card for card in cards if card.rank > 1)
    fans = tuple(cards[start : start + rules.fan_size] for start in range(0, len(cards), rules.fan_size))
    in_play = set(cards)
    clubs, diamonds, hearts, spades = (sum(card not in in_play for card in PACK if card.suit is suit) for suit in Suit)
    return State(rules, fans, (clubs, diamonds, hearts, spades))
