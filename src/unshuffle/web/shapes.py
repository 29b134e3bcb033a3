"""The JSON shapes of requests and answers: tables, pictures, moves and games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from unshuffle.layout import MOST_CHARACTERS
from unshuffle.places import Kind

MOST_MOVES = 20_000
"""The most moves of one request: a long win may have thousands."""
LONGEST_TOKEN = 400
"""The most characters of a move: a redeal of Gaps with all its cards has some 160."""

Word = Annotated[str, StringConstraints(max_length=200)]
Token = Annotated[str, StringConstraints(max_length=LONGEST_TOKEN)]
Text = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS)]
Tokens = Annotated[list[Token], Field(max_length=MOST_MOVES)]
Changes = dict[Annotated[str, StringConstraints(max_length=64)], bool | int | Word]


class Shape(BaseModel):
    """An answer."""

    model_config = ConfigDict(frozen=True)


class Asked(BaseModel):
    """A request. Unknown fields are an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


# Faults.


class Fault(Shape):
    """One fault of a text, and its place."""

    line: int | None = None
    column: int | None = None
    message: str


class Trouble(Shape):
    """An error, in the words of the command line."""

    detail: str
    faults: list[Fault] = []


# The picture of a table.


class Card(Shape):
    """A card: its face, or null if it lies face down. `settled`: whether it is in its final place."""

    face: str | None
    settled: bool = False


class Place(Shape):
    """A pile of cards, the bottom card first; for a stock only their number."""

    id: str
    kind: Kind
    label: str
    spread: Literal["down", "right", "none"] = "none"
    cards: list[Card] = []
    count: int | None = None
    hint: str = ""


class Area(Shape):
    """A group of places."""

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
    """The source of a move: a place, the first card that moves (counted from 0), and the number of moved cards."""

    place: str
    card: int | None = None
    count: int = 0


class Target(Shape):
    """The target of a move."""

    place: str


class Told(Shape):
    """A move with its description, and the gesture that makes it."""

    model_config = ConfigDict(frozen=True, serialize_by_alias=True)

    token: str
    kind: str
    text: str
    source: Source | None = Field(default=None, serialization_alias="from")
    target: Target | None = Field(default=None, serialization_alias="to")


class Legal(Told):
    """A legal move. `goes_up`: to a foundation, to the discards, or to a place where its card is locked."""

    goes_up: bool = False


# Tables.


class Table(Shape):
    """A game in play, as its player sees it."""

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
    """An entry of the list of saved games, or the error of its file."""

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
    """A request to begin a game: by a seed, a deal id, a text, or the `start` of another table; else at random.

    A text with unknown cards is an error, unless `fill` deals them at random.
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
    """A request to make moves, all of them or none."""

    moves: Annotated[Tokens, Field(min_length=1)]


class Count(Asked):
    """A request to take back moves, or to make them again."""

    count: Annotated[int, Field(ge=1, le=99_999)] = 1


class LineAsked(Asked):
    """A request to show a line of play, from the current position or from the deal."""

    moves: Tokens
    of: Literal["now", "start"] = "now"


class Frame(Shape):
    """The table after a move of a line."""

    picture: Picture
    score_text: str
    outcome: Literal["won", "stuck"] | None
    told: Told | None


class Frames(Shape):
    """A line of play: the table before it, and after each move."""

    frames: list[Frame]


class CheckAsked(Asked):
    """A request to check a text as a table of a game."""

    game: Word
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    text: Text


Pack = dict[str, int]
"""The number of copies of each card in the pack of a game."""


class Read(Shape):
    """A word of a text, its place, and its card."""

    line: int
    column: int
    text: str
    card: str | None


class Checked(Shape):
    """The result of a check: the faults of the text, or its picture and what is unknown."""

    faults: list[Fault]
    unknown: str
    """What is unknown, in words; '' if nothing is."""
    is_solvable: bool
    """Whether the solver accepts the table."""
    picture: Picture | None
    tokens: list[Read]
    pack: Pack


# Games.


class Variant(Shape):
    """A named set of rules."""

    id: str
    rules: dict[str, str]


class Rule(Shape):
    """One field of the rules. `values` are its possible values, if they are few."""

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
    """The limits of jobs and requests."""

    seconds: float
    memory: int
    jobs: int
    body: int


class About(Shape):
    """The version, the engine and the limits of the server."""

    version: str
    engine: str
    limits: LimitsTold
    saves: str
    store: bool


class Kept(Shape):
    """A stored save file."""

    kind: Literal["table", "advised"]
    id: str


Json = dict[str, Any]
