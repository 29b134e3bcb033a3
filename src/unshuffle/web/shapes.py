"""What the server takes and gives, as JSON: the shapes of a table, its picture and its moves."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from unshuffle.layout import MOST_CHARACTERS
from unshuffle.places import Kind

MOST_MOVES = 20_000
"""So many moves are taken in one request: a win that wanders may have thousands."""
LONGEST_TOKEN = 400
"""No move is longer: one of Gaps with all cards of a redeal has some 160 characters."""

Word = Annotated[str, StringConstraints(max_length=200)]
Token = Annotated[str, StringConstraints(max_length=LONGEST_TOKEN)]
Text = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS)]
Tokens = Annotated[list[Token], Field(max_length=MOST_MOVES)]
Changes = dict[Annotated[str, StringConstraints(max_length=64)], bool | int | Word]


class Shape(BaseModel):
    """An answer."""

    model_config = ConfigDict(frozen=True)


class Asked(BaseModel):
    """A request; what it does not know, it refuses."""

    model_config = ConfigDict(extra="forbid", strict=True)


# Faults.


class Fault(Shape):
    """One thing that is wrong with a text, and where."""

    line: int | None = None
    column: int | None = None
    message: str


class Trouble(Shape):
    """What is wrong, in the words of the command line."""

    detail: str
    faults: list[Fault] = []


# The picture of a table.


class Card(Shape):
    """A card: its face, or null if it lies face down; and whether it is where it belongs for good."""

    face: str | None
    settled: bool = False


class Place(Shape):
    """Where cards lie, the bottom card first; or where only their number is seen."""

    id: str
    kind: Kind
    label: str
    spread: Literal["down", "right", "none"] = "none"
    cards: list[Card] = []
    count: int | None = None
    hint: str = ""


class Area(Shape):
    """Places that belong together."""

    name: str
    label: str
    arrange: Literal["row", "columns", "grid", "flow"]
    columns: int | None = None
    places: list[Place]


class Picture(Shape):
    """A table as a player sees it, from top to bottom."""

    areas: list[Area] = []


# Moves.


class Source(Shape):
    """Where a move takes hold: a place, the first card that moves, counted from 0, and how many go with it."""

    place: str
    card: int | None = None
    count: int = 0


class Target(Shape):
    """Where a move leads."""

    place: str


class Told(Shape):
    """A move in words, and the gesture that makes it."""

    model_config = ConfigDict(frozen=True, serialize_by_alias=True)

    token: str
    kind: str
    text: str
    source: Source | None = Field(default=None, serialization_alias="from")
    target: Target | None = Field(default=None, serialization_alias="to")


class Legal(Told):
    """A move that can be made now; `goes_up`: to a foundation, to the discards, or where its card is locked."""

    goes_up: bool = False


# Tables.


class Table(Shape):
    """A game being played, as its player may see it."""

    id: str
    game: str
    name: str
    variant: str
    deal: str | None
    score: int
    most_score: int
    score_text: str
    outcome: Literal["won", "stuck"] | None
    moves: list[str]
    undone: list[str]
    taken_back: int
    hints: int
    is_open: bool
    solver_looks: bool
    looked: bool
    remark: str = ""
    layout: str
    start: str | None
    picture: Picture
    legal: list[Legal]
    last: Told | None


class Listed(Shape):
    """A saved game in the list of them, or what is wrong with its file."""

    id: str
    game: str | None = None
    name: str | None = None
    variant: str | None = None
    deal: str | None = None
    score_text: str | None = None
    outcome: Literal["won", "stuck"] | None = None
    moves_made: int | None = None
    updated: str | None = None
    error: str | None = None


class NewTable(Asked):
    """A game to begin: by a seed, a deal id, a text, or the `start` of another table; without them by chance.

    A text with something unknown in it is refused, unless `fill` lets chance deal that.
    """

    game: Word | None = None
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    seed: Word | None = None
    deal: Word | None = None
    text: Text | None = None
    start: Text | None = None
    fill: bool = False
    moves: Tokens = []


class Moves(Asked):
    """Moves to make, all of them or none."""

    moves: Annotated[Tokens, Field(min_length=1)]


class Count(Asked):
    """How many moves are taken back or made again."""

    count: Annotated[int, Field(ge=1, le=99_999)] = 1


class LineAsked(Asked):
    """A line of play to look at, from where the game stands or from its deal."""

    moves: Tokens
    of: Literal["now", "start"] = "now"


class Frame(Shape):
    """What is seen after a move of a line."""

    picture: Picture
    score_text: str
    outcome: Literal["won", "stuck"] | None
    told: Told | None


class Frames(Shape):
    """A line of play: the table before it, and after each move."""

    frames: list[Frame]


class CheckAsked(Asked):
    """A text to read as a table of a game."""

    game: Word
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    text: Text


Pack = dict[str, int]
"""How often each card is in the pack of a game."""


class Read(Shape):
    """A word of a text, where it stands, and the card that it is."""

    line: int
    column: int
    text: str
    card: str | None


class Checked(Shape):
    """What a text is as a table: its faults, or its picture and what is unknown in it."""

    faults: list[Fault]
    unknown: str
    """What is unknown in it, in words; '' if nothing is."""
    is_solvable: bool
    """Whether the solver can be asked about it as it is."""
    picture: Picture | None
    tokens: list[Read]
    pack: Pack


# Games.


class Variant(Shape):
    """A named set of rules."""

    id: str
    rules: dict[str, str]


class Rule(Shape):
    """One choice of the rules; `values` are all that it may be, if they are few."""

    name: str
    help: str
    default: str
    values: list[str] | None


class GameTold(Shape):
    """A game, its variants (the first is the default) and its rules."""

    id: str
    name: str
    summary: str
    entry_help: str
    score_counts: str
    variants: list[Variant]
    rules: list[Rule]
    advises: bool
    has_redeals: bool
    policies: list[str]


class LimitsTold(Shape):
    """What a job and a request may cost."""

    seconds: float
    memory: int
    jobs: int
    body: int


class About(Shape):
    """Which server this is."""

    version: str
    engine: str
    limits: LimitsTold
    saves: str
    store: bool


class Kept(Shape):
    """A save file that was taken in."""

    kind: Literal["table", "advised"]
    id: str


Json = dict[str, Any]
