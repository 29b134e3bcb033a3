"""The JSON shapes of jobs with their requests and results, of advised games and of studies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from unshuffle.web.shapes import Asked, Changes, Json, Pack, Picture, Shape, Text, Token, Told, Word

# Jobs.

Seconds = Annotated[float, Field(ge=0.01, le=86_400)]


class Job(Shape):
    """A job with its progress and its result."""

    id: str
    kind: str
    table: str | None
    status: Literal["queued", "running", "done", "failed", "cancelled"]
    progress: Json | None
    result: Json | None
    error: str | None
    seconds: float


class Found(Shape):
    """The result of a job."""

    def as_json(self) -> Json:
        """Return the result as a job keeps it."""
        return self.model_dump(mode="json", by_alias=True)


class Chance(Shape):
    """A probability to win and its standard error: 0 if the chance is exact, null if the error is unknown."""

    p: float
    se: float | None


class Hint(Found):
    """A hint by what the player sees."""

    told: Told | None
    plan: list[Told]
    chance: Chance | None
    chance_text: str
    claim: list[str]
    closing: str
    information: Literal["hidden"] = "hidden"


class Solved(Found):
    """Whether the game, or its current phase, can be won with all cards known, and how."""

    status: str
    score: int
    score_proved: bool
    verdict: str
    moves: list[Told]
    nodes: int
    seconds: float
    no_search: str
    """Why no search was needed; '' if there was one, or a limit was hit first."""
    information: Literal["open"] = "open"
    is_phase: bool
    chance: Chance | None
    """The chance to win the whole game by what the player sees, if the solver does not win the current phase."""
    chance_text: str
    stats: dict[str, float]


class Estimated(Found):
    """The share of playouts with random unknown cards that a policy won, with Wilson's 95 % interval."""

    wins: int
    samples: int
    chance: float | None
    low: float
    high: float
    policy: str
    unknown: str
    text: str
    """The estimate in words."""
    information: Literal["hidden"] = "hidden"


class Judged(Found):
    """The judgement of a coach on a move."""

    lines: list[str]
    loses: bool


class HintAsked(Asked):
    """A request for a hint."""

    kind: Literal["hint"]
    table: Word
    seconds: Seconds | None = None


class Position(Asked):
    """The position of a request: a table by its id, or a game and a layout text."""

    table: Word | None = None
    game: Word | None = None
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    text: Text | None = None


class SolveAsked(Position):
    """A request to solve a position. `look`: the solver may use cards that the player cannot see."""

    kind: Literal["solve"]
    seconds: Seconds | None = None
    look: bool = False


class ChanceAsked(Position):
    """A request for the chance to win a position by what the player sees."""

    kind: Literal["chance"]
    seconds: Seconds | None = None


class ReviewAsked(Asked):
    """A request to review a game. `look`: the search may use cards that the player could not see."""

    kind: Literal["review"]
    table: Word
    seconds: Seconds | None = None
    look: bool = False


class CoachAsked(Asked):
    """A request to judge a move."""

    kind: Literal["coach"]
    table: Word
    move: Token
    seconds: Seconds | None = None


class AnswerAsked(Asked):
    """A request with an answer to the prompt of an advised game."""

    kind: Literal["answer"]
    advised: Word
    answer: Text
    seconds: Seconds | None = None


class WinnableAsked(Asked):
    """A request for a deal that is proved winnable, perhaps of one difficulty."""

    kind: Literal["winnable"]
    game: Word
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    difficulty: Literal["easy", "medium", "hard"] | None = None


class StudyAsked(Asked):
    """A request to run a study with the solver or a policy. Without a game a stored study is continued."""

    kind: Literal["study"]
    name: Word
    game: Word | None = None
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    solver: bool = False
    policy: Word | None = None
    seeds: Word | None = None


JobAsked = HintAsked | SolveAsked | ChanceAsked | ReviewAsked | CoachAsked | AnswerAsked | WinnableAsked | StudyAsked


# Studies.


class ListedStudy(Shape):
    """A study in the list of them."""

    name: str
    game: str
    runs: int
    deals: int
    planned: int
    updated: str


class Chart(Shape):
    """A chart of a study: SVG within HTML, for an element of the class `charts`."""

    title: str
    svg: str
    caption: str


class Study(Shape):
    """The results of a study: a row per run, charts, and the provenance of the numbers."""

    name: str
    rows: list[Json]
    notes: list[str]
    """Remarks on the rates: later extensions, time limits, verdicts on phases."""
    charts: list[Chart]
    provenance: Json


# Advised games.


class Command(Shape):
    """A command that the prompt offers."""

    answer: str
    label: str


class Draft(Shape):
    """A partly entered table, and its faults."""

    cells: list[str]
    labels: dict[str, str]
    rows: list[str]
    faults: list[str]


class Advised(Found):
    """An advised game: its state, the prompt, and the output since the last answer."""

    id: str
    game: str
    name: str
    variant: str
    stage: Literal["entry", "edit", "play", "shown", "redeal", "end"]
    prompt: str
    said: list[str]
    help: list[str]
    commands: list[Command]
    phase: str
    place: str
    picture: Picture | None
    draft: Draft | None
    planned: list[Told]
    chance: Chance | None
    result: Literal["won", "lost"] | None
    pack: Pack


class ListedAdvised(Shape):
    """A saved advised game in the list of them."""

    id: str
    game: str
    name: str
    variant: str
    stage: str
    updated: str


class NewAdvised(Asked):
    """A request to begin an advised game, perhaps with a layout text."""

    game: Word
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    text: Text | None = None
    id: Word | None = None
