"""La Belle Lucie: the places of cards, and the layout text of an emptied fan."""

from __future__ import annotations

from functools import cache

from unshuffle.cards import Card, Suit
from unshuffle.games.belle_lucie.rules import Rules, State
from unshuffle.places import Area, Board, Coming, Dress, Mark, Places, Where
from unshuffle.places.reading import Reader

_ACES = {Where("foundations", suit): Card(1, suit).glyph for suit in Suit}


@cache
def places(rules: Rules) -> Places:
    """Return the places: foundations above fans, the number of the deal, and the mercis that are left."""
    most = rules.merci_count if rules.merci != "none" else 0
    deal = Mark(
        name="deal",
        values=range(1, rules.redeals + 2),
        start=1,
        what="a deal of this game",
        expected=f"a number 1..{rules.redeals + 1}" if rules.redeals else "'Deal: 1', there is no redeal",
    )
    merci = Mark(
        name="merci",
        values=range(most + 1 if most else 0),
        start=most,
        what="a number of mercis left",
        expected=f"a number 0..{most}" if most else "no such line, there is no merci in these rules",
    )
    return Places(
        rules=rules,
        areas=(
            Area(name="foundations", kind="foundation", count=4, suits=tuple(Suit), form="follows"),
            Area(name="redeal", kind="redeal", count=int(rules.redeals > 0), form="none", clicks="deal"),
            Area(name="fans", kind="fan", count=None, form="rows"),
        ),
        written=("foundations", "deal", "merci", "redeals", "fans"),
        marks=(deal, merci),
        coming=Coming(mark=deal, redeals=rules.redeals),
        reach=int(rules.merci == "none"),  # a merci takes a buried card
        top="Foundations",
    )


def board(table: State) -> Board:
    """Return the board of a table: the foundations and the fans."""
    foundations = tuple(
        tuple(Card(rank, suit) for rank in range(1, height + 1))
        for suit, height in zip(Suit, table.foundations, strict=True)
    )
    redeal = ((),) if table.rules.redeals else ()
    return Board(
        places(table.rules),
        {"foundations": foundations, "redeal": redeal, "fans": table.fans},
        {"deal": table.deal, "merci": table.mercis},
        coming=table.redeals,
    )


def state_of(board: Board) -> State:
    """Return the state of a board."""
    clubs, diamonds, hearts, spades = map(len, board.piles["foundations"])
    up = (clubs, diamonds, hearts, spades)
    return State(board.places.rules, board.told("fans"), up, board.marks["deal"], board.marks["merci"], board.coming)


def dress(table: State) -> Dress:
    """Return hints on what spaces take, and the redeals and mercis left."""
    rules = table.rules
    hints = dict(_ACES)
    if rules.kings_to_spaces:
        hints |= {Where("fans", number): "K" for number in range(len(table.fans))}
    has_merci = rules.merci != "none"
    status = [f"deal {table.deal} of {rules.redeals + 1}"] * bool(rules.redeals)
    status += [f"mercis left: {table.mercis}"] * has_merci
    return Dress(
        hints=hints,
        groups={"fans": f"Fans; mercis left: {table.mercis}"} if has_merci else {},
        labels={Where("redeal", 0): f"Redeal, {table.redeals_left} left"},
        status=", ".join(status).capitalize(),
    )


# Layout text.


class FanReader(Reader):
    """A reader of fans."""

    def keeps_empty(self, area: Area) -> bool:
        """Return whether an emptied fan stays: only where kings may fill it."""
        return bool(self.places.rules.kings_to_spaces)
