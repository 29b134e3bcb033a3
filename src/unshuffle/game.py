"""The protocol of games, and their base class."""

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
"""The information that a figure about winning is based on; every such figure names one or the other."""

WINNABLE = "Winnable: proved with all cards and redeals of that id known; the win may need its redeals."
"""The meaning of "winnable" for a deal id, shown wherever the word is used."""


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
    """What a player sees of a state. No hidden card can be reached from it."""

    def sample(self, rng: random.Random) -> State:
        """Return a state drawn uniformly from all that are consistent with the view."""


class State(Hashable, Protocol):
    """A table, and everything else that decides how play can go on. States are values: `play` returns another one."""

    @property
    def game_id(self) -> str:
        """The id of its game: a class variable, or a property where many games share one class of states."""

    @property
    def rules(self) -> Any:
        """The rules of this game."""

    @property
    def id(self) -> str | None:
        """The id of the deal with which this game began; None for a typed position. Equality ignores it."""

    def legal_moves(self) -> tuple[Any, ...]:
        """Return every move that `play` accepts except redeals with a typed order, in the game's documented order."""

    def play(self, move: Any) -> Self:
        """Return the table after the move; IllegalMoveError names the rule that forbids it."""

    @property
    def outcome(self) -> Outcome | None:
        """WON, STUCK, or None while the game goes on."""

    @property
    def score(self) -> int:
        """The score so far; each game defines what it counts."""

    @property
    def can_redeal(self) -> bool:
        """Whether a redeal in unknown order is allowed: `play` then takes `r=` and the cards."""

    def view(self) -> View:
        """Return what a player sees."""


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
    """A dominant move: if the best score can be reached at all, it can be reached through this move."""
    bound: Callable[[StateT], int] | None = None
    """An upper bound of the score of every line of play from here, whatever an unknown redeal may bring."""
    key: Callable[[StateT], Hashable] | None = None
    """The transposition key: equal for positions of equal value; by default the state itself."""
    order: Callable[[StateT, tuple[MoveT, ...]], Iterable[MoveT]] | None = None
    """The legal moves in the order in which to try them. Heuristics belong here, because it proves nothing.

    Moves that it omits are tried last, so a wrong order changes no verdict.
    """
    attempt: Callable[[StateT, int, Callable[[int], bool]], Sequence[MoveT] | None] | None = None
    """The moves to a win from a state by attempt 0, 1, ...; None if that attempt fails, which proves nothing.

    Before it expands n positions it calls the third argument with n, and gives up if that returns False.
    """
    kinds: Mapping[type[Any], str] = field(default_factory=dict)
    """The statistics key under which a search counts the moves of each class: {Deal: 'deals'}."""


def _dealt(line: Line, deal: Callable[[], _Dealt]) -> _Dealt:
    """Deal by the id on this line; a deal that its generator does not have is a fault of the text."""
    try:
        return deal()
    except UsageError as error:
        raise InvalidDealError([Fault(str(error), line.place)]) from None


class Game(Placed[StateT], Generic[StateT, MoveT]):
    """One game with its rules fixed: a value, pickled as its id and variant.

    A game of your own is a subclass: it sets the names and supplies `start`, `parse_move` and its places, or `read` and
    `cards` instead. It may override other methods; `deal`, `parse`, `format` and the methods that depend on them are
    the same for all games.
    """

    id: str
    """The slug: 'belle-lucie'."""
    name: str
    """The name in prose: 'La Belle Lucie'."""
    summary: str = ""
    """One line that tells a player which game this is."""
    variants: Mapping[str, Any]
    """The Rules by slug; the first one is the default."""
    has: Manifest = Manifest()
    """The parts of the game beside its rules."""
    entry_help: str = ""
    """The help for typing a position, if the places do not supply it."""
    score_counts: str = ""
    """What the score counts, in words: 'cards up'."""
    redeal_class: type[Any] | None = None
    """The class of its redeals; None: it has none."""
    hides_cards: bool = False
    """Whether cards lie face down that a text may leave unknown."""
    tableau_moves: tuple[type[Any], ...] = ()
    """The classes of move that a simulation counts in each game; empty: it counts no moves."""

    charges_moves: bool = False
    """Whether moves cost points: the score of a position then depends on its history, and wins differ in score."""
    solves_phases: bool = False
    """Whether redeals are unknown to a solver too: it then decides the play up to the next one."""
    stat_names: Mapping[str, str] = {}
    """The game's own names for search statistics, each with the common one: {'depth': 'max_depth'}."""
    foreign: Mapping[str, Form] = {}
    """The formats of other programs that can express this game, each with its reader and writer."""
    unwritten: Mapping[str, str] = {}
    """The formats of other programs that cannot express this game, each with the reason (`unshuffle.interchange`)."""
    bound_words: str = "no line can score enough for a win"
    """The reason in words why a position is lost by the bound of `hooks`."""
    techniques: Mapping[str, str] = {}
    """The techniques of a search that can be switched off, each with its hook on the Python side, or ''."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # A game derived from another inherits its rules and words, not its parts, which are written for the other game.
        if "id" in vars(cls) and "has" not in vars(cls):
            cls.has = Manifest()

    def __init__(self, variant: str | None = None, **changes: object) -> None:
        slug, *texts = (variant or next(iter(self.variants))).split("+")
        if slug not in self.variants:
            raise unknown(f"variant of {self.id}", slug, self.variants)
        self.rules = change_rules(self.variants[slug], read_changes(texts) | changes)
        self.variant = name_variant(self.variants, slug, self.rules)

    def with_rules(self, variant: str | None = None, **changes: object) -> Self:
        """Return the same game with another variant (by default the first one) and some rule fields changed."""
        return type(self)(variant, **changes)

    def of(self, state: StateT) -> Self:
        """Return the same game with the rules of this table."""
        game = self._bare()
        game.rules = state.rules
        if state.id is None:
            game.variant = name_variant(self.variants, next(iter(self.variants)), state.rules)
        else:
            game.variant = DealId.parse(state.id).variant
        return game

    def _bare(self) -> Self:
        """Return a copy without rules. A class of many games also copies the attributes that distinguish them."""
        return type(self).__new__(type(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (type(self), self.id, self.variant) == (type(other), other.id, other.variant)

    def __hash__(self) -> int:
        return hash((self.id, self.variant))

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        # Another process cannot find a class of a file, or one of many games, by its name; it finds the game by its id.
        source = part("unshuffle.registry:source_of")(self)
        if source is None:
            return super().__reduce_ex__(protocol)
        return part("unshuffle.registry:game_from"), (source, self.id, self.variant)

    def __repr__(self) -> str:
        return f"unshuffle.game({self.id!r}, {self.variant!r})"

    def __str__(self) -> str:
        return f"{self.id}/{self.variant}"

    def own(self, name: str) -> Any:
        """Return the part that the manifest names under this name, loaded; None if it names none."""
        text: str = getattr(self.has, name)
        module, _, attribute = text.partition(":")
        try:
            return part(text) if text else None
        except (ModuleNotFoundError, AttributeError) as error:
            is_absent = error.name in (module, attribute) or module.startswith(f"{error.name}.")
            if not is_absent:
                raise  # the module exists, but one of its own imports fails
            raise UsageError(f"the {name} of {self.id} is not there ({text}): {error}") from None

    @property
    def engine_id(self) -> str:
        """The name of the rules in the engine."""
        return self.has.engine or self.id

    # What a game supplies.

    @abstractmethod
    def start(self, deck: tuple[Card, ...]) -> StateT:
        """Return the state after dealing a deck; its first card is dealt first."""

    @abstractmethod
    def parse_move(self, token: str, state: StateT | None = None) -> MoveT:
        """Read one move; `state` helps where a short token is unambiguous only on a given table."""

    # What it may supply.

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards in their order before a shuffle."""
        return PACK

    @property
    def most_score(self) -> int:
        """The score of a won game, or the greatest possible one."""
        return 52

    def decks(self, seed: int, generator: str = OURS) -> Iterator[tuple[Card, ...]]:
        """Return the generator's stream of decks; foreign generators may order and deal the pack in their own way."""
        return decks(self.pack, seed, generator)

    def is_stricter(self, other: Self) -> bool:
        """Return whether every line of play here is one of `other`, another game with the same deals.

        Then a win here is a win there, and a loss there is a loss here. The relation is transitive.
        """
        return False

    def adopt(self, line: str, state: StateT, strict: Self) -> tuple[MoveT, ...]:
        """Return the tokens of a line of the stricter game as moves of this one."""
        return self.parse_moves(line, state)

    def read_foreign(self, text: str, faults: Faults) -> StateT | None:
        """Return the table of a text that another program wrote; None for a text in our own format."""
        form = find_form(text)
        if form is None:
            return None
        if form not in self.foreign:
            faults.add(self.why_unwritten(form))
            faults.check()
        found: StateT = self.foreign[form].read(self.rules, text, faults)
        return found

    def write_foreign(self, state: StateT, form: str) -> str:
        """Return the table in another program's format; `read_foreign` is the inverse. UsageError if impossible."""
        check_form(form)
        known = self.foreign.get(form)
        reason = known.why_not(state) if known else ""
        if known is None or reason:
            raise UsageError(self.why_unwritten(form, reason))
        return known.write(state)

    def why_unwritten(self, form: str, reason: str = "") -> str:
        """Return the message for a format that cannot express this game, or this table of it."""
        reason = reason or self.unwritten.get(form, "the game's `foreign` names no such form")
        return f"{self} cannot be expressed in the format of {FORMS[form]}: {reason}"

    def uncharged(self, state: StateT) -> StateT:
        """Return the state as if its moves had cost nothing: it identifies a position however it was reached."""
        return state

    @property
    def always_maximizes(self) -> bool:
        """Whether a search that only decides proves the best score too."""
        return False

    def follow(self, state: StateT, decks: Iterator[tuple[Card, ...]]) -> StateT:
        """Return the state of a seeded game with its redeals known: redeal k follows the k-th of these decks."""
        return state

    def check_open(self, state: StateT) -> None:
        """Raise UsageError, with the alternatives, for a state whose future is not fully known: it cannot be solved."""
        if state.can_redeal:
            raise UsageError("the order of the redeal is not known, so nobody can say yet whether this can be won")

    def is_open(self, state: StateT) -> bool:
        """Return whether the future is fully known: no redeal in unknown order is left."""
        try:
            self.check_open(state)
        except UsageError:
            return False
        return True

    def is_dealt(self, state: StateT) -> bool:
        """Return whether the state is the deal of its id, before any move; False for typed positions."""
        return state.id is not None and state == self.deal(DealId.parse(state.id).source)

    def phase(self, state: StateT) -> StateT:
        """Return the state to search: without unknown redeals, or with `solves_phases` without any redeal.

        Every line of play from it is one from the state, so a win of it is a win, whatever the redeals bring. If it has
        no win, the state may still be won through a redeal, unless the bound of `hooks` rules that out.
        """
        return state

    def known_words(self, state: StateT) -> str:
        """Return the information that a verdict on this state is based on: 'open: all cards known, the redeals too'."""
        if getattr(state, "redeals_left", 0) == 0:
            return INFORMATION["open"]
        return f"{INFORMATION['open']}, {'but no redeal' if self.leaves_redeals_out(state) else 'the redeals too'}"

    def leaves_redeals_out(self, state: StateT) -> bool:
        """Return whether no search looks at a possible redeal: it is chance to a solver, or its order is unknown."""
        if self.solves_phases:
            return bool(getattr(state, "redeals_left", 0) > 0)
        return not self.is_open(state)

    def is_redeal(self, move: object) -> bool:
        """Return whether the move is a redeal."""
        return self.redeal_class is not None and isinstance(move, self.redeal_class)

    def is_told_redeal(self, move: Move) -> bool:
        """Return whether the move is a redeal written with its cards (`r=...`), which were unknown before."""
        return self.is_redeal(move) and move.token != "r"

    def told(self, state: StateT, move: MoveT) -> MoveT:
        """Return the move as a player writes it who did not know its effect: a known redeal with its cards."""
        return move

    def describe(self, state: StateT, move: MoveT) -> Description:
        """Return the move in words, given the state before it: by its gesture, or its token without one."""
        return Description(*(self.gesture_in_words(state, move) or ("Move", move.token)))

    def hooks(self) -> Hooks[StateT, MoveT]:
        """Return the hooks for the generic search."""
        return Hooks()

    def small_states(self, seed: int) -> Iterator[StateT]:
        """Yield late positions for comparing searches; an exhaustive search of each takes well under a second."""
        late: Iterator[StateT] = part("unshuffle.endgames:late_states")(self, seed)
        return late

    # Derived methods.

    def deal(self, seed: int | str | Source, generator: str = OURS, number: int = 1) -> StateT:
        """Return the deal of this number; the seed may be text such as 'python:12345#3'."""
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
        """Return the deck of the deal and those that follow it."""
        return islice(self.decks(source.seed, source.generator), source.number - 1, None)

    def deck(self, source: Source) -> tuple[Card, ...]:
        """Return the deck of the deal with this source, in deal order."""
        return next(self._stream(source))

    def with_id(self, state: StateT, deal: str | None) -> StateT:
        """Return the state with the id of its deal."""
        return replace(state, id=deal)  # type: ignore[type-var] # states are dataclasses, which a protocol cannot express

    def format(self, state: StateT, *, hidden: bool = False) -> str:
        """Return layout text, which is `str(state)`; `parse` is its inverse. `hidden`: no more than a player sees."""
        if not hidden:
            return str(state)
        view: Any = state.view()
        return str(getattr(view, "table", view))  # where all cards lie open, the view shows a table

    def wire(self, state: StateT) -> str:
        """Return the text for the engine, without the id: with everything that is known, as if it had been typed."""
        return self.format(self.with_id(state, None))

    def parse(self, text: str) -> StateT:
        """Read layout text, or `Deck:` and a whole deck, or `Id:` alone. InvalidDealError names every fault.

        An export of `advise` with cards that nobody saw is an error: they would be taken for known.
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
        # The id determines the redeals.
        later = islice(self._stream(deal.source), 1, None)
        return self.with_id(_dealt(layout.labelled["id"], lambda: self.follow(state, later)), str(deal))

    def parse_seen(self, text: str) -> Any:
        """Read the same text where a player's view suffices; with unknown cards, return a view.

        A view has `view()` and `id` as a state has. Cards of an export that nobody saw are unknown too.
        """
        if never_shown(text):
            state = self.parse(without_remarks(text))
            view: Any = state.view()
            return view if hasattr(view, "view") else state
        return self.read_seen(text)

    def read_seen(self, text: str) -> Any:
        """Read a text in which hidden cards may be unknown; for a game without hidden cards this is `parse`."""
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
        """Read `Deck:` and every card of the pack, on any number of lines."""
        lines = (layout.labelled["deck"], *layout.rows)
        deck = read_deck([token for line in lines for token in line.tokens], self.pack, faults)
        # A faulty deck is an error in the end; the pack replaces it so that the other lines are read too.
        return self.read_beside(self.start(self.pack if faults else deck), layout, faults)

    def split_moves(self, text: str) -> list[str]:
        """Return the tokens of a line of play, separated by blanks or commas."""
        return text.replace(",", " ").split()

    def parse_moves(self, text: str, state: StateT | None = None) -> tuple[MoveT, ...]:
        """Read the tokens of a line; with a state, read each in the state before it."""
        tokens = self.split_moves(text)
        if state is None:
            return tuple(map(self.parse_move, tokens))
        return tuple(move for move in self.read_line(tokens, state) if move is not None)

    def read_line(self, tokens: Sequence[str], state: StateT) -> Iterator[MoveT | None]:
        """Yield the moves of a line as they are played; None for a token that only tells the effect of a move.

        IllegalMoveError where the rules forbid a move.
        """
        for token in tokens:
            move = self.parse_move(token, state)
            state = state.play(move)
            yield move


AnyGame = Game[Any, Any]
