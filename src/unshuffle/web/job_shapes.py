"""The shapes of what takes longer: jobs with what they ask for and find, advised games, studies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from unshuffle.web.shapes import Asked, Changes, Json, Pack, Picture, Shape, Text, Token, Told, Word

# Jobs.

Seconds = Annotated[float, Field(ge=0.01, le=86_400)]


class Job(Shape):
    """A piece of work: how far it is, and what came of it."""

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
        """As a job holds it."""
        return self.model_dump(mode="json", by_alias=True)


class Chance(Shape):
    """A probability to win and its standard error; 0 if it is exact, null if nobody knows it."""

    p: float
    se: float | None


class Hint(Found):
    """What to do now, by what the player sees."""

    told: Told | None
    plan: list[Told]
    chance: Chance | None
    chance_text: str
    claim: list[str]
    closing: str
    information: Literal["hidden"] = "hidden"


class Solved(Found):
    """Whether the game, or the phase in hand, can be won by one who knows every card, and how."""

    status: str
    score: int
    score_proved: bool
    verdict: str
    moves: list[Told]
    nodes: int
    seconds: float
    no_search: str
    """Why no position had to be searched; '' if some were, or a limit came first."""
    information: Literal["open"] = "open"
    is_phase: bool
    chance: Chance | None
    """Of the whole game, by what the player sees, where the solver answers for a phase that it does not win."""
    chance_text: str
    stats: dict[str, float]


class Estimated(Found):
    """How often a policy won samples in which chance dealt what is unknown, with Wilson's 95 % interval."""

    wins: int
    samples: int
    chance: float | None
    low: float
    high: float
    policy: str
    unknown: str
    text: str
    """The same in words."""
    information: Literal["hidden"] = "hidden"


class Judged(Found):
    """What a coach says about a move."""

    lines: list[str]
    loses: bool


class HintAsked(Asked):
    """A hint for a table."""

    kind: Literal["hint"]
    table: Word
    seconds: Seconds | None = None


class Position(Asked):
    """What a question is about: a table by its id, or a game and a text of it."""

    table: Word | None = None
    game: Word | None = None
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    text: Text | None = None


class SolveAsked(Position):
    """Whether a position can still be won; `look`: the solver may use what the player cannot see."""

    kind: Literal["solve"]
    seconds: Seconds | None = None
    look: bool = False


class ChanceAsked(Position):
    """The chance to win a position by what the player sees of it."""

    kind: Literal["chance"]
    seconds: Seconds | None = None


class ReviewAsked(Asked):
    """Which move lost a game; `look`: the search may use what the player could not see."""

    kind: Literal["review"]
    table: Word
    seconds: Seconds | None = None
    look: bool = False


class CoachAsked(Asked):
    """What a move would do."""

    kind: Literal["coach"]
    table: Word
    move: Token
    seconds: Seconds | None = None


class AnswerAsked(Asked):
    """An answer at the prompt of an advised game."""

    kind: Literal["answer"]
    advised: Word
    answer: Text
    seconds: Seconds | None = None


class WinnableAsked(Asked):
    """A deal that is proved to be winnable, perhaps of one difficulty."""

    kind: Literal["winnable"]
    game: Word
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    difficulty: Literal["easy", "medium", "hard"] | None = None


class StudyAsked(Asked):
    """Deals to play for a study, by the solver or by a policy; without a game a stored study goes on."""

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
    """A picture of a study: SVG within HTML, for an element of the class `charts`."""

    title: str
    svg: str
    caption: str


class Study(Shape):
    """What came of a study: a row per run, pictures, and what all of it rests on."""

    name: str
    rows: list[Json]
    notes: list[str]
    """What the rates do not say of themselves: extensions, limits by the clock, verdicts about a phase."""
    charts: list[Chart]
    provenance: Json


# Advised games.


class Command(Shape):
    """An answer that is a command."""

    answer: str
    label: str


class Draft(Shape):
    """A table as far as it is typed, and what is wrong with it."""

    cells: list[str]
    labels: dict[str, str]
    rows: list[str]
    faults: list[str]


class Advised(Found):
    """An advised game: where it stands, what is asked, and what was said since the last answer."""

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
    """An advised game to begin, perhaps with a table that is typed already."""

    game: Word
    variant: Word | None = None
    rules: Changes = Field(default_factory=dict)
    text: Text | None = None
    id: Word | None = None
