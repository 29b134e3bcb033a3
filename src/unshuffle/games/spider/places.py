"""Spider: where cards lie, the text of face-down cards and completed runs, and the faults of impossible tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from unshuffle.cards import SUITS, Card, Suit
from unshuffle.errors import Faults, Place, quote
from unshuffle.games.spider.moves import Move, Row
from unshuffle.games.spider.rules import Rules, State, whole_run
from unshuffle.games.spider.view import View
from unshuffle.layout import UNSEEN, Layout, Line, Token, is_unseen, split_brackets
from unshuffle.numbers import MOST
from unshuffle.places import Area, Board, Dress, Mark, Pile, Places, Where
from unshuffle.places.gestures import Gesture
from unshuffle.places.reading import Reader
from unshuffle.places.text import Writer

# If more different cards are missing, they are not named.
_MOST_NAMED = 13
_SUITS = {name: suit for suit in Suit for name in (SUITS[suit].lower(), suit.glyph, suit.word)}


@cache
def places(rules: Rules) -> Places:
    """Return the places of Spider: bank and completed runs above the piles, and the moves made."""
    return Places(
        rules=rules,
        areas=(
            Area(name="bank", kind="stock", deals=rules.piles),
            Area(name="completed", kind="completed", count=rules.runs),
            Area(name="piles", kind="pile", count=rules.piles, form="numbered"),
        ),
        written=("piles", "bank", "completed", "moves"),
        marks=(Mark(name="moves", values=range(MOST + 1), what="a number of moves", is_always_written=True),),
        pack=rules.pack,
        reach=rules.ranks,
        top="Bank and completed runs",
    )


def board(table: State | View) -> Board:
    """Return the board of a state or view."""
    rules = table.rules
    bank = (None,) * table.bank if isinstance(table, View) else table.bank
    # The king on top, as players lay a run aside.
    runs = [whole_run(suit, rules.ranks)[::-1] for suit in table.completed]
    return Board(
        places(rules),
        {"bank": (bank,), "completed": (*runs, *[()] * (rules.runs - len(runs))), "piles": table.piles},
        {"moves": table.moves},
        {"bank": (len(bank),), "piles": table.down},
        is_seen=isinstance(table, View),
    )


def state_of(board: Board) -> State:
    """Return the state of a board."""
    (bank,) = board.told("bank")
    suits = tuple(run[0].suit for run in board.piles["completed"] if run and run[0] is not None)
    return State(board.places.rules, board.told("piles"), board.down["piles"], bank, suits, board.marks["moves"])


def dress(table: State | View) -> Dress:
    """Return the labels with the rows left and the suits of the completed runs."""
    labels = {Where("bank", 0): f"Bank, {table.rows_left} rows"}
    labels |= {Where("completed", n): f"Completed run {n + 1}" for n in range(table.rules.runs)}
    labels |= {Where("completed", n): f"Completed run of {suit.word}" for n, suit in enumerate(table.completed)}
    return Dress(labels=labels)


def gesture(table: State | View, move: Move) -> Gesture:
    """Return the gesture of a move; a run may leave with it, so the boards do not always imply the gesture."""
    if isinstance(move, Row):
        return Gesture(Where("bank", 0))
    source, first = move.source - 1, len(table.piles[move.source - 1]) - move.count
    return Gesture(Where("piles", source), first, move.count, Where("piles", move.target - 1))


# Layout text.


class RunsWriter(Writer):
    """The writer, which puts each face-down card in brackets, and writes the suit of a completed run."""

    empty = ""

    def pile(self, pile: Pile, down: int) -> str:
        """Return the text of a pile, its bottom first."""
        hidden = [UNSEEN if card is None else f"[{card}]" for card in pile[:down]]
        return " ".join([*hidden, *map(str, pile[down:])])

    def labelled(self, area: Area, piles: Sequence[Pile]) -> str:
        """Return the text of the bank, or the suits of the completed runs."""
        if area.kind == "completed":
            return " ".join(run[0].suit.letter for run in piles if run and run[0] is not None)
        return super().labelled(area, piles)


class RunsReader(Reader):
    """The reader of a table of several packs: it counts cards, and an impossible table is a fault."""

    def __init__(self, places: Places, layout: Layout, faults: Faults, *, is_seen_enough: bool = False) -> None:
        super().__init__(places, layout, faults, is_seen_enough=is_seen_enough)
        self.pack = Counter(places.pack)
        self.met: Counter[Card] = Counter()

    def is_new(self, card: Card, place: Place) -> bool:
        """Count the card and return True: whether there is one too many is known at the end."""
        self.met[card] += 1
        return True

    def pile(self, area: Area, number: int, line: Line) -> tuple[Pile, int]:
        """Return a pile, its bottom first, and how many of its cards lie face down; `number` 0: a pile without one."""
        below, above, shows = self.split(line)
        pile, down = below + above, len(below)
        if not number:
            return pile, down
        rules = self.places.rules
        if down and not shows:
            self.faults.add(f"pile {number} has only face-down cards: its last card is face up", line.place)
        if down > (most := rules.first_down[number - 1]):
            cards = f"{down} face-down card{'s' * (down > 1)}"
            self.faults.add(f"pile {number} has {cards}; it is dealt with {most}", line.place)
        if len(pile) > rules.tallest:
            limit = f"no pile can have more than {rules.tallest}"
            self.faults.add(f"pile {number} has {len(pile)} cards; {limit}", line.place)
        ranks = rules.ranks
        for end in range(ranks, len(above) + 1):
            suit = above[end - 1].suit
            if above[end - ranks : end] == whole_run(suit, ranks):
                has = "ends in" if end == len(above) else "has, under other cards,"
                run = f"a complete run of {suit.word}: it leaves the table at once"
                self.faults.add(f"pile {number} {has} {run}", line.place)
        return pile, down

    def split(self, line: Line) -> tuple[Pile, tuple[Card, ...], bool]:
        """Return the face-down cards of a pile, the face-up ones, and whether any token is meant as face up."""
        if self.is_empty(line, "a pile"):
            return (), (), False
        below: Pile = ()
        above: tuple[Card, ...] = ()
        shows = False
        opened: Token | None = None
        inside = 0
        for token in split_brackets(line.tokens):
            if token.text == "[":
                if opened is not None:
                    self.faults.add("'[' is never closed", opened.place)
                opened, inside = token, 0
            elif token.text == "]":
                if opened is None:
                    self.faults.add("']' closes nothing", token.place)
                elif not inside:
                    self.faults.add("the brackets are empty", opened.place)
                opened = None
            elif opened is None and not is_unseen(token):
                above += self.faces([token], "a pile")
                shows = True
            else:
                unseen = len(token.text) // len(UNSEEN) if is_unseen(token) else 0
                below += (None,) * unseen or self.faces([token], "a pile")
                inside += 1
                if shows:
                    self.faults.add(f"{quote(token.text)} lies face down on a card that lies face up", token.place)
        if opened is not None:
            self.faults.add("'[' is never closed", opened.place)
        self.note_untold(below.count(None), f"'{UNSEEN}' tells no card", line.place)
        return below, above, shows

    def check_stock(self, area: Area, size: int, place: Place) -> None:
        """Note a fault if the bank does not have whole rows."""
        sizes = range(0, self.places.rules.first_bank + 1, self.places.rules.piles)
        if size not in sizes:
            told = f"{size} card{'s' * (size != 1)}, which is not whole rows; it can have {', '.join(map(str, sizes))}"
            self.faults.add(f"the bank has {told}", place)

    def labelled(self, area: Area, line: Line | None) -> tuple[Pile, ...]:
        """Return the bank, or the completed runs by their suits."""
        if area.kind != "completed":
            return super().labelled(area, line)
        runs = []
        for token in () if line is None or self.is_empty(line, "the runs") else line.tokens:
            suit = read_suit(token.text)
            if suit is None:
                self.faults.add(f"{quote(token.text)} is not a suit; expected C D H S", token.place)
            elif Card(1, suit) not in self.allowed:
                self.faults.add(f"no run of {suit.word} is in this pack", token.place)
            else:
                run = whole_run(suit, self.places.rules.ranks)
                self.met.update(run)
                runs.append(run[::-1])
        return (*runs, *[()] * ((area.count or 0) - len(runs)))

    def check(self, piles: Mapping[str, tuple[Pile, ...]]) -> None:
        """Note a fault unless each card is there as often as in the pack: on the table, in the bank or in a run."""
        for card in sorted(self.met - self.pack):
            self.faults.add(f"'{card}' is there {self.met[card]} times, expected {self.pack[card]}")
        missing = sorted((self.pack - self.met).elements())
        if self.untold and len(missing) != self.untold:
            nowhere = f"neither on the table nor in a completed run: {len(missing)}"
            self.faults.add(f"unseen cards: {self.untold}; {nowhere}")
        elif missing and not self.untold:
            names = f"; missing: {_counted(missing)}" if len(set(missing)) <= _MOST_NAMED else ""
            self.faults.add(f"there are {self.met.total()} cards, expected {self.pack.total()}{names}")


def _counted(cards: Sequence[Card]) -> str:
    """Return the cards, each with its count: `AS, 2S (3 times)`."""
    return ", ".join(f"{card} ({count} times)" if count > 1 else str(card) for card, count in Counter(cards).items())


def read_suit(text: str) -> Suit | None:
    """Return a suit by its letter, its sign or its name; None if the text is none."""
    return _SUITS.get(text.lower())
