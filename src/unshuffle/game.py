"""The protocol that every game fulfils."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import islice, tee
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, SupportsIndex, TypeVar

from unshuffle.cards import PACK, Card
from unshuffle.deals import OURS, DealId, Source, decks
from unshuffle.errors import Fault, Faults, InvalidDealError, UsageError, quote, unknown
from unshuffle.interchange import FORMS, Form, check_form, find_form
from unshuffle.layout import Layout, Line, never_shown, read_deck, read_layout, without_remarks
from unshuffle.manifest import Manifest, part
from unshuffle.places.game import Placed
from unshuffle.rulebook import change_rules, name_variant, read_changes

if TYPE_CHECKING:
    import random


_COMMON_LABELS = ("deck", "id")
_Dealt = TypeVar("_Dealt")

INFORMATION = {"open": "open: all cards known", "hidden": "hidden: what a player sees"}
"""What a figure about winning was made with; every such figure says one or the other."""

WINNABLE = "Winnable: proved with all cards and redeals of that id known; the win may need its redeals."
"""What the word means of a deal id, wherever it is said of one."""


class Outcome(Enum):
    """How a game has ended."""

    WON = "won"
    STUCK = "stuck"

    def __repr__(self) -> str:
        return f"Outcome.{self.name}"


class Move(Hashable, Protocol):
    """A move is a value with one canonical text."""

    @property
    def token(self) -> str:
        """The text of the move; the game's `parse_move` is its inverse."""


class View(Protocol):
    """What a player sees of a state. No hidden face can be reached from it."""

    def sample(self, rng: random.Random) -> State:
        """A state, uniform over all that fit the view."""


class State(Hashable, Protocol):
    """A table and all that decides how play can go on. States are values: `play` returns another one."""

    @property
    def game_id(self) -> str:
        """The id of its game: a class variable, or a property where the states of many games are of one class."""

    @property
    def rules(self) -> Any:
        """The rules that hold on this table."""

    @property
    def id(self) -> str | None:
        """The id of the deal with which this game began; None for a typed position. Equality does not look at it."""

    def legal_moves(self) -> tuple[Any, ...]:
        """Every move that `play` accepts, in the game's documented order (a redeal in an order of one's own apart)."""

    def play(self, move: Any) -> Self:
        """The table after the move; IllegalMoveError says which rule forbids it."""

    @property
    def outcome(self) -> Outcome | None:
        """WON, STUCK, or None while the game goes on."""

    @property
    def score(self) -> int:
        """The score so far; what it counts is the game's business."""

    @property
    def can_redeal(self) -> bool:
        """True if a redeal is allowed whose order is not known: `play` then takes `r=` and the cards."""

    def view(self) -> View:
        """What a player sees."""


StateT = TypeVar("StateT", bound=State)
MoveT = TypeVar("MoveT", bound=Move)


@dataclass(frozen=True, slots=True)
class Description:
    """A move in words: its class ('Foundation move') and a sentence that names card, source and target."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Hooks(Generic[StateT, MoveT]):
    """What a game's `search.py` offers to the generic search. Each may be absent, and each must be sound."""

    forced: Callable[[StateT], MoveT | None] | None = None
    """A move that may be played alone: if the best score can be reached at all, it can be reached through it."""
    bound: Callable[[StateT], int] | None = None
    """No line of play from here ends with a greater score, whatever a redeal that nobody knows may bring."""
    key: Callable[[StateT], Hashable] | None = None
    """Equal for positions that are worth the same; without it the state itself is the key."""
    order: Callable[[StateT, tuple[MoveT, ...]], Iterable[MoveT]] | None = None
    """The legal moves in the order in which they are to be tried. A guess belongs here: it proves nothing.

    Moves that it leaves out are tried last, so it may be wrong and changes no verdict.
    """
    attempt: Callable[[StateT, int, Callable[[int], bool]], Sequence[MoveT] | None] | None = None
    """The moves to a win from a state by attempt 0, 1, ...; None if that one fails, which proves nothing.

    Before it expands so many positions it asks whether it may, and gives up if not.
    """
    kinds: Mapping[type[Any], str] = field(default_factory=dict)
    """The names by which a search counts the moves that it makes, for each class of move: {Deal: 'deals'}."""


def _dealt(line: Line, deal: Callable[[], _Dealt]) -> _Dealt:
    """What is dealt by the id on this line; a deal that its generator does not have is a fault of the text."""
    try:
        return deal()
    except UsageError as error:
        raise InvalidDealError([Fault(str(error), line.place)]) from None


class Game(Placed[StateT], Generic[StateT, MoveT]):
    """One game with its rules fixed: a value, which travels between processes as its id and variant.

    A game of your own is a subclass: it fills in the names and supplies `start`, `parse_move` and its places, or `read`
    and `cards` instead. Of the others it overrides what it wants; `deal`, `parse`, `format` and what follows them are
    the same for all games.
    """

    id: str
    """The slug: 'belle-lucie'."""
    name: str
    """The name in prose: 'La Belle Lucie'."""
    summary: str = ""
    """One line that tells a player which game this is."""
    variants: Mapping[str, Any]
    """Slug to Rules; the first one is the default."""
    has: Manifest = Manifest()
    """What it has beside its rules."""
    entry_help: str = ""
    """What a person who is about to type a position needs to know about its layout, if its places do not say it."""
    score_counts: str = ""
    """What the score counts, in words: 'cards up'."""
    redeal_class: type[Any] | None = None
    """The class of its redeals; None: it has none."""
    hides_cards: bool = False
    """Whether cards lie face down that a text may leave untold."""
    tableau_moves: tuple[type[Any], ...] = ()
    """The classes of move that a simulation counts in each game; none: it counts no moves."""

    charges_moves: bool = False
    """True if moves cost points: one position has many scores, by the way that led there, and a win is not the best."""
    solves_phases: bool = False
    """True if a redeal is chance to a solver too: it answers for the play up to the next one."""
    stat_names: Mapping[str, str] = {}
    """Names of the game's own for counts of a search, each with the common one: {'depth': 'max_depth'}."""
    foreign: Mapping[str, Form] = {}
    """The forms of other programs that can say this game, each with who reads and writes it."""
    unwritten: Mapping[str, str] = {}
    """The forms of other programs that cannot say this game, each with the reason (`unshuffle.interchange`)."""
    bound_words: str = "no line can score enough for a win"
    """What the bound of `hooks` shows of a position that it proves lost."""
    techniques: Mapping[str, str] = {}
    """What a search of this game can be told to do without, each with the hook that it is on the Python side, or ''."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # A game by another name inherits rules and words, not the parts, which were written for the other game.
        if "id" in vars(cls) and "has" not in vars(cls):
            cls.has = Manifest()

    def __init__(self, variant: str | None = None, **changes: object) -> None:
        slug, *texts = (variant or next(iter(self.variants))).split("+")
        if slug not in self.variants:
            raise unknown(f"variant of {self.id}", slug, self.variants)
        self.rules = change_rules(self.variants[slug], read_changes(texts) | changes)
        self.variant = name_variant(self.variants, slug, self.rules)

    def with_rules(self, variant: str | None = None, **changes: object) -> Self:
        """The same game by a variant, without one by the default, with some rule fields changed."""
        return type(self)(variant, **changes)

    def of(self, state: StateT) -> Self:
        """The same game as it is played on this table."""
        game = self._bare()
        game.rules = state.rules
        if state.id is None:
            game.variant = name_variant(self.variants, next(iter(self.variants)), state.rules)
        else:
            game.variant = DealId.parse(state.id).variant
        return game

    def _bare(self) -> Self:
        """The same game, its rules still to be fixed. A class of many games hands on what tells them apart."""
        return type(self).__new__(type(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (type(self), self.id, self.variant) == (type(other), other.id, other.variant)

    def __hash__(self) -> int:
        return hash((self.id, self.variant))

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        # A class of a file, or one of many games, is not found by its name in another process. The id finds the game.
        source = part("unshuffle.registry:source_of")(self)
        if source is None:
            return super().__reduce_ex__(protocol)
        return part("unshuffle.registry:game_from"), (source, self.id, self.variant)

    def __repr__(self) -> str:
        return f"unshuffle.game({self.id!r}, {self.variant!r})"

    def __str__(self) -> str:
        return f"{self.id}/{self.variant}"

    def own(self, name: str) -> Any:
        """The part of this name that the manifest names, loaded; None if it names none."""
        text: str = getattr(self.has, name)
        module, _, attribute = text.partition(":")
        try:
            return part(text) if text else None
        except (ModuleNotFoundError, AttributeError) as error:
            is_absent = error.name in (module, attribute) or module.startswith(f"{error.name}.")
            if not is_absent:
                raise  # it is there, and wants something that is not
            raise UsageError(f"the {name} of {self.id} is not there ({text}): {error}") from None

    @property
    def engine_id(self) -> str:
        """The name of its rules in the engine."""
        return self.has.engine or self.id

    # What a game supplies.

    @abstractmethod
    def start(self, deck: tuple[Card, ...]) -> StateT:
        """Lay out a deck; its first card is dealt first."""

    @abstractmethod
    def parse_move(self, token: str, state: StateT | None = None) -> MoveT:
        """Read one move; `state` helps where a short token means something only on a given table."""

    # What it may supply.

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards in their order before a shuffle."""
        return PACK

    @property
    def most_score(self) -> int:
        """The score of a won game, or the greatest there is."""
        return 52

    def decks(self, seed: int, generator: str = OURS) -> Iterator[tuple[Card, ...]]:
        """The generator's stream of decks; a foreign one may order and deal the pack as the game's page says."""
        return decks(self.pack, seed, generator)

    def is_stricter(self, other: Self) -> bool:
        """Whether every line of play here is one of the other game, which has the same deals and is not this one.

        Then what is won here is won there, and what is lost there is lost here. Whatever is stricter than a stricter
        game is stricter too.
        """
        return False

    def adopt(self, line: str, state: StateT, strict: Self) -> tuple[MoveT, ...]:
        """The tokens of a line of the stricter game as moves of this one."""
        return self.parse_moves(line, state)

    def read_foreign(self, text: str, faults: Faults) -> StateT | None:
        """The table of a text that another program wrote; None for a text in ours."""
        form = find_form(text)
        if form is None:
            return None
        if form not in self.foreign:
            faults.add(self.why_unwritten(form))
            faults.check()
        found: StateT = self.foreign[form].read(self.rules, text, faults)
        return found

    def write_foreign(self, state: StateT, form: str) -> str:
        """The table as another program reads it; `read_foreign` is its inverse. UsageError where it cannot be said."""
        check_form(form)
        known = self.foreign.get(form)
        reason = known.why_not(state) if known else ""
        if known is None or reason:
            raise UsageError(self.why_unwritten(form, reason))
        return known.write(state)

    def why_unwritten(self, form: str, reason: str = "") -> str:
        """The words for a form that cannot say this game, or this table of it."""
        reason = reason or self.unwritten.get(form, "the game's `foreign` names no such form")
        return f"{self} cannot be said as {FORMS[form]} would: {reason}"

    def uncharged(self, state: StateT) -> StateT:
        """The state as if its moves had cost nothing, by which one position is known again however it was reached."""
        return state

    @property
    def always_maximizes(self) -> bool:
        """True if a search that was asked only to decide proves the best score too."""
        return False

    def follow(self, state: StateT, decks: Iterator[tuple[Card, ...]]) -> StateT:
        """The state of a seeded game, knowing its redeals: redeal k is decided by the k-th of these decks."""
        return state

    def check_open(self, state: StateT) -> None:
        """Refuse, with the ways out, a state in which not all that is to come is known: it cannot be played out."""
        if state.can_redeal:
            raise UsageError("the order of the redeal is not known, so nobody can say yet whether this can be won")

    def is_open(self, state: StateT) -> bool:
        """Whether all that is to come is known: no redeal is left whose order nobody knows."""
        try:
            self.check_open(state)
        except UsageError:
            return False
        return True

    def is_dealt(self, state: StateT) -> bool:
        """Whether the state is the deal that its id names, before any move. Of a typed position nobody can say."""
        return state.id is not None and state == self.deal(DealId.parse(state.id).source)

    def phase(self, state: StateT) -> StateT:
        """The state as it is searched: without redeals that nobody knows, or with `solves_phases` without any.

        Every line of play of it is one of the state. So a win of it is a win, whatever the redeals bring. If it has
        none, the state may still be won by a redeal, unless the bound of `hooks` rules that out.
        """
        return state

    def known_words(self, state: StateT) -> str:
        """What a verdict on this state rests on: 'open: all cards known, the redeals too'."""
        if getattr(state, "redeals_left", 0) == 0:
            return INFORMATION["open"]
        return f"{INFORMATION['open']}, {'but no redeal' if self.leaves_redeals_out(state) else 'the redeals too'}"

    def leaves_redeals_out(self, state: StateT) -> bool:
        """Whether a redeal may come that no search looks at: it is chance to a solver, or nobody knows its order."""
        if self.solves_phases:
            return bool(getattr(state, "redeals_left", 0) > 0)
        return not self.is_open(state)

    def is_redeal(self, move: object) -> bool:
        """Whether the move deals cards again."""
        return self.redeal_class is not None and isinstance(move, self.redeal_class)

    def is_told_redeal(self, move: Move) -> bool:
        """Whether the move is a redeal that is written with its cards (`r=...`), which nobody knew before."""
        return self.is_redeal(move) and move.token != "r"

    def told(self, state: StateT, move: MoveT) -> MoveT:
        """The move as one writes it who sees only now what it brings: a known redeal with its cards."""
        return move

    def describe(self, state: StateT, move: MoveT) -> Description:
        """The move in words, as it stands before it is made: by its gesture, or its token where it has none."""
        return Description(*(self.gesture_in_words(state, move) or ("Move", move.token)))

    def hooks(self) -> Hooks[StateT, MoveT]:
        """What the generic search may use in this game."""
        return Hooks()

    def small_states(self, seed: int) -> Iterator[StateT]:
        """Late positions that can be searched out in well under a second, on which laws hold searches together."""
        late: Iterator[StateT] = part("unshuffle.endgames:late_states")(self, seed)
        return late

    # What it gets.

    def deal(self, seed: int | str | Source, generator: str = OURS, number: int = 1) -> StateT:
        """The deal of this number; the seed may be text such as 'python:12345#3'."""
        if isinstance(seed, str):
            source = Source.parse(seed, generator)
        else:
            source = seed if isinstance(seed, Source) else Source(seed, generator, number)
        return next(self.deal_each([source]))[0]

    def deal_each(self, sources: Iterable[Source]) -> Iterator[tuple[StateT, tuple[Card, ...]]]:
        """Yield the deal of each source, with its deck. Consecutive decks of a stream are shuffled once each."""
        rest: Iterator[tuple[Card, ...]] = iter(())
        coming: Source | None = None
        for source in sources:
            if source == coming:
                next(rest)
            else:
                rest = self._stream(source)
            rest, stream = tee(rest)
            deck = next(stream)
            state = self.follow(self.start(deck), stream)
            yield self.with_id(state, str(DealId(self.id, self.variant, source))), deck
            coming = source.following

    def _stream(self, source: Source) -> Iterator[tuple[Card, ...]]:
        """The deck of the deal, and those that follow it."""
        return islice(self.decks(source.seed, source.generator), source.number - 1, None)

    def deck(self, source: Source) -> tuple[Card, ...]:
        """The deck of the deal with this source, in deal order."""
        return next(self._stream(source))

    def with_id(self, state: StateT, deal: str | None) -> StateT:
        """The state, knowing the deal it comes from."""
        return replace(state, id=deal)  # type: ignore[type-var] # states are dataclasses, which no protocol can say

    def format(self, state: StateT, *, hidden: bool = False) -> str:
        """Layout text, which is `str(state)`; `parse` is its inverse. `hidden`: no more than a player sees."""
        if not hidden:
            return str(state)
        view: Any = state.view()
        return str(getattr(view, "table", view))  # where all cards lie open, the view shows a table

    def wire(self, state: StateT) -> str:
        """The text for the engine, which deals no ids: the state as if it had been typed, with all that is known."""
        return self.format(self.with_id(state, None))

    def parse(self, text: str) -> StateT:
        """Read layout text, or `Deck:` and a whole deck, or `Id:` alone. InvalidDealError names every fault.

        An export of `advise` in which cards stand that nobody saw is refused: they would be taken for known.
        """
        if told := never_shown(text):
            raise InvalidDealError(
                [Fault(f"{told} They are not known, so this is no whole deal; `parse_seen` reads it")]
            )
        faults = Faults()
        foreign = self.read_foreign(text, faults)
        if foreign is not None:
            faults.check()
            return foreign
        layout = read_layout(text, (*self.line_labels, *_COMMON_LABELS), faults)
        deal = self._read_id(layout.labelled, faults)
        if "deck" in layout.labelled:
            state = self._read_deck(layout, faults)
        elif deal is not None and not layout.rows and len(layout.labelled) == 1 and not faults:
            source = deal.source
            return _dealt(layout.labelled["id"], lambda: self.deal(source))
        else:
            state = self.read(layout, faults)
        faults.check()
        if deal is None:
            return state
        # The id says what the redeals will bring.
        later = islice(self._stream(deal.source), 1, None)
        return self.with_id(_dealt(layout.labelled["id"], lambda: self.follow(state, later)), str(deal))

    def parse_seen(self, text: str) -> Any:
        """The same, where a player's view is enough: a game may let hidden cards stay untold, and gives a view then.

        A view has `view()` and `id` as a state has. Cards of an export that nobody saw are untold too.
        """
        if never_shown(text):
            state = self.parse(without_remarks(text))
            view: Any = state.view()
            return view if hasattr(view, "view") else state
        return self.read_seen(text)

    def read_seen(self, text: str) -> Any:
        """Read a text in which hidden cards may be untold; a game without them has no other than `parse` reads."""
        if not self.hides_cards or self.read_foreign(text, Faults()) is not None:
            return self.parse(text)
        faults = Faults()
        layout = read_layout(text, (*self.line_labels, *_COMMON_LABELS), faults)
        if layout.labelled.keys() & set(_COMMON_LABELS):
            return self.parse(text)
        seen = self.read_view(layout, faults)
        faults.check()
        return seen

    def _read_id(self, labelled: Mapping[str, Line], faults: Faults) -> DealId | None:
        line = labelled.get("id")
        if line is None:
            return None
        try:
            deal = DealId.parse(line.tokens[0].text if line.tokens else "")
        except ValueError as error:
            faults.add(str(error), line.place)
            return None
        if (deal.game, deal.variant) != (self.id, self.variant):
            faults.add(f"{quote(str(deal))} is not a deal of {self}", line.place)
        for label, other in labelled.items():
            if label.startswith("redeal "):
                faults.add(f"'{label.capitalize()}:' does not go with 'Id:', which says the redeals", other.place)
        return deal

    def _read_deck(self, layout: Layout, faults: Faults) -> StateT:
        """`Deck:` and every card of the pack, on as many lines as one likes."""
        lines = (layout.labelled["deck"], *layout.rows)
        deck = read_deck([token for line in lines for token in line.tokens], self.pack, faults)
        # A faulty deck is refused in the end; the pack stands in for it, so that the other lines are read too.
        return self.read_beside(self.start(self.pack if faults else deck), layout, faults)

    def split_moves(self, text: str) -> list[str]:
        """The tokens of a line of play, which blanks or commas separate."""
        return text.replace(",", " ").split()

    def parse_moves(self, text: str, state: StateT | None = None) -> tuple[MoveT, ...]:
        """Read the tokens of a line; with a state they are read along the line of play."""
        tokens = self.split_moves(text)
        if state is None:
            return tuple(map(self.parse_move, tokens))
        return tuple(move for move in self.read_line(tokens, state) if move is not None)

    def read_line(self, tokens: Sequence[str], state: StateT) -> Iterator[MoveT | None]:
        """The moves of a line of play, each when it has been played; None for a token that only tells what a move did.

        IllegalMoveError where the rules forbid a move.
        """
        for token in tokens:
            move = self.parse_move(token, state)
            state = state.play(move)
            yield move


AnyGame = Game[Any, Any]
