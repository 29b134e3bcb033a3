"""Tables for the page. They contain no more of the state than its player sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from unshuffle.game import AnyGame, Outcome
from unshuffle.play import words
from unshuffle.play.table import Table, seen
from unshuffle.play.thinking import looks_at_hidden
from unshuffle.web import shapes
from unshuffle.web.packing import pack
from unshuffle.web.pictures import paint, tell, tell_legal


def show_table(table: Table) -> shapes.Table:
    """Return a table for the page."""
    game, state, shown = table.game, table.state, table.seen
    legal = state.legal_moves() if state.outcome is None else ()
    last = None
    if table.moves:
        before = table.states[-2]
        # The last move is made, so the cards that it has shown are known.
        last = tell(game, seen(before), table.moves[-1], before)
    return shapes.Table(
        id=table.name,
        game=game.id,
        name=game.name,
        variant=game.variant,
        deal=table.start.id,
        score=state.score,
        most_score=game.most_score,
        score_text=words.score(table),
        outcome=_ended(state.outcome),
        moves=[move.token for move in table.moves],
        undone=[move.token for move in table.undone],
        taken_back=table.taken_back,
        hints=table.hints,
        is_open=table.is_open,
        solver_looks=looks_at_hidden(table),
        looked=table.looked,
        remark=words.by_chance(table),
        layout=game.format(state, hidden=True),
        start=_start(table),
        picture=paint(game, shown),
        legal=[tell_legal(game, shown, move) for move in legal],
        last=last,
    )


def _ended(outcome: Outcome | None) -> Any:
    return None if outcome is None else outcome.value


def _start(table: Table) -> str | None:
    """Return the start of a typed game, packed, since it may have hidden cards; None if the deal id is enough."""
    return None if table.is_named else pack(table.game.format(table.start), by_chance=table.by_chance)


def show_line(game: AnyGame, states: Sequence[Any], moves: Sequence[Any]) -> shapes.Frames:
    """Return a line of play, frame by frame, as the player sees it."""
    frames = []
    for number, state in enumerate(states):
        told = tell(game, seen(states[number - 1]), moves[number - 1], states[number - 1]) if number else None
        score = f"{state.score} of {game.most_score} {game.score_counts}".rstrip()
        frames.append(
            shapes.Frame(picture=paint(game, seen(state)), score_text=score, outcome=_ended(state.outcome), told=told)
        )
    return shapes.Frames(frames=frames)


def count_pack(game: AnyGame) -> shapes.Pack:
    """Return the number of copies of each card in the pack."""
    return dict(Counter(map(str, game.pack)))
