"""Record all that is written and shown of sampled tables, and compare it with an earlier record.

`python -m tests.tables FILE` writes the record of this checkout; `python -m tests.tables FILE --compare` makes it again
and prints what differs. A change that only moves code leaves every output as it was. The record is scratch: about a
hundred thousand outputs, too many to keep in the repository.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import unshuffle as un
from tests.laws import CHANGED
from unshuffle.cards import PACK
from unshuffle.play.table import seen
from unshuffle.views import HiddenView, Shown
from unshuffle.web.pictures import paint, tell, tell_legal

SEEDS = (7, 11)
LONGEST = 150
"""Moves of a sampled line."""
TABLES = 13
"""Tables taken of each line."""
MANGLED = 8
"""Faulty texts made of each table."""
_DIFFERENCES = 40

Output = tuple[str, Any]


def sampled_games() -> list[un.Game[Any, Any]]:
    """Every variant of our games, and rules with changed fields."""
    games = [un.game(name, variant) for name in CHANGED for variant in un.games()[name]]
    return games + [un.game(name, **fields) for name, changes in CHANGED.items() for fields in changes]


def outputs() -> Iterator[Output]:
    """Each output with the table and the question that it belongs to."""
    for game in sampled_games():
        for seed in SEEDS:
            for number, state in _sample(game, seed):
                name = f"{game}@{seed} after {number}"
                yield from (
                    (f"{name}: {what}", value) for what, value in _of_table(game, state, Random(crc32(name.encode())))
                )


def _sample(game: un.Game[Any, Any], seed: int) -> Iterator[tuple[int, Any]]:
    """Some tables along a line of random play: the first ones, then ever fewer; every other one as if it was typed."""
    rng = Random(f"{game}{seed}")
    state = game.deal(seed)
    line = [state]
    while len(line) <= LONGEST and (moves := state.legal_moves()):
        # Foundation moves are rare among moves by chance; a line that makes them comes to other tables.
        best = max(moves, key=lambda move: (state.play(move).score, rng.random()))
        state = state.play(best if rng.random() < 0.4 else rng.choice(moves))
        line.append(state)
    step = max(1, len(line) // TABLES)
    for number in sorted({*range(0, len(line), step), len(line) - 1}):
        table = line[number]
        yield number, table if number // step % 2 == 0 else game.with_id(table, None)


def _of_table(game: un.Game[Any, Any], state: Any, rng: Random) -> Iterator[Output]:
    view, shown = state.view(), seen(state)
    hidden = game.format(state, hidden=True)
    yield "text", game.format(state)
    yield "hidden text", hidden
    yield "wire", game.wire(state)
    yield "picture", game.picture(state)
    yield "picture of what is seen", game.picture(shown)
    yield "page", paint(game, shown).model_dump(mode="json")
    yield "settled", sorted(map(str, game.settled(state)))
    yield "cards", sorted(map(str, game.cards(state)))
    yield "read again", _answer(lambda: repr(game.parse(str(state))))
    yield "seen again", _answer(lambda: repr(game.parse_seen(hidden)))
    yield "a sample", _answer(lambda: str(view.sample(Random(1)))) if isinstance(shown, type(view)) else ""
    for move in state.legal_moves():
        yield f"move {move.token}", tell_legal(game, shown, move).model_dump(mode="json")
        yield f"made {move.token}", tell(game, shown, move, state).model_dump(mode="json")
        if isinstance(view, HiddenView):
            yield f"played {move.token}", _played(game, view, move, rng)
    for number in range(MANGLED):
        text = _mangle(str(state) if number % 2 else hidden, rng)
        yield f"faulty {text!r}", _answer(lambda text=text: repr(game.parse(text)))
        yield f"faulty and seen {text!r}", _answer(lambda text=text: repr(game.parse_seen(text)))
    deck = "Deck: " + " ".join(map(str, un.Source(7).deck(game.pack)))
    labels = [line for line in game.wire(state).splitlines() if ":" in line and not line[0].isdigit()]
    beside = "\n".join([deck, *rng.sample(labels, min(len(labels), rng.randint(0, 3)))])
    yield f"deck {beside!r}", _answer(lambda: repr(game.parse(beside)))


def _answer(ask: Any) -> Any:
    """Return what a call answers, or its error: its class and every fault."""
    try:
        return ask()
    except un.InvalidDealError as error:
        return [type(error).__name__, *map(str, error.faults)]
    except ValueError as error:
        return [type(error).__name__, str(error)]


def _played(game: un.Game[Any, Any], view: Any, move: Any, rng: Random) -> Any:
    """A move on a view with cards by chance: what is seen then, or why these cards cannot come to light."""
    said = [view.turned_by(move), list(view.turns(move)), view.dealt_by(move)]
    unseen = list(view.unseen)
    for count in (said[0], said[0] + rng.randint(0, 2)):
        cards = tuple(rng.sample(unseen, min(count, len(unseen))))
        if rng.random() < 0.2 and cards:
            cards = (*cards[:-1], rng.choice(game.pack))
        shown = Shown(move, cards)
        said.append(_answer(lambda shown=shown: repr(view.play(shown))))
        if cards:
            said.append(_answer(lambda shown=shown: str(game.describe(view, shown))))
    return said


_JUNK = (
    "1X",
    "##",
    "####",
    "-",
    "--",
    "[",
    "]",
    "[]",
    "[##",
    "5H]",
    "?",
    "7",
    "99",
    "abc",
    "10s",
    "XH",
    "AS",
    "KD2C",
    "r",
    "|",
)


def _slip(lines: list[str], number: int, rng: Random) -> list[str]:
    """Return the words of a line with a slip of a typist. One kind of slip changes another line in place."""
    words = lines[number].split(" ")
    place = rng.randrange(len(words))
    match rng.randrange(12):
        case 0:
            del words[place]
        case 1:
            words.insert(place, rng.choice(_JUNK))
        case 2:
            words[place] = rng.choice(_JUNK)
        case 3:
            words.insert(place, rng.choice(words))
        case 4:
            words = []
        case 5:
            words = rng.choice(lines).split(" ")
        case 6:
            words[0] = rng.choice(lines).split(" ")[0]
        case 7:
            other = rng.randrange(len(lines))
            lines[other], words = lines[number], lines[other].split(" ")
        case 8:
            words = words[: place + 1]
        case 9:
            words = [word.strip("[]") for word in words]
        case 10:
            words.insert(place, str(rng.choice(un.Source(rng.randrange(9)).deck(PACK))))
        case _:
            words[place] = words[place].lower().replace("t", "10")
    return words


def _mangle(text: str, rng: Random) -> str:
    """Return the text with one to three slips of a typist."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        lines = text.splitlines() or [""]
        number = rng.randrange(len(lines))
        lines[number] = " ".join(_slip(lines, number, rng))
        if rng.random() < 0.1:
            del lines[rng.randrange(len(lines))]
        text = "\n".join(lines) + "\n"
    return text


def write(path: Path) -> int:
    """Write the record; return how many outputs it has."""
    count = 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=3) as file:
        for output in outputs():
            file.write(json.dumps(output, ensure_ascii=False) + "\n")
            count += 1
    return count


def compare(path: Path) -> tuple[int, list[str]]:
    """Return how many outputs were compared with the record, and those that differ."""
    count, different = 0, []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line, output in zip(file, outputs(), strict=True):
            was, now = json.loads(line), json.loads(json.dumps(output))
            count += 1
            if was != now:
                different.append(
                    f"{was[0]}\n  was {was[1]!r}\n  now {now[1]!r}" if was[0] == now[0] else f"{was[0]} / {now[0]}"
                )
    return count, different


if __name__ == "__main__":
    record = Path(sys.argv[1])
    if "--compare" in sys.argv[2:]:
        compared, differences = compare(record)
        print(*differences[:_DIFFERENCES], sep="\n")
        print(f"{compared} outputs compared, {len(differences)} differ")
        sys.exit(bool(differences))
    print(f"{write(record)} outputs recorded")
