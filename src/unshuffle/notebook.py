"""HTML of tables, results and lines for notebooks: small, without scripts, for light and dark pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any

# Grey lines and the page's own colours; only the red suits have a colour, visible on white and on black.
_BOX = "border:1px solid rgba(128,128,128,.4);border-radius:6px;padding:.5em .8em;display:inline-block;max-width:100%"
_TABLE = "margin:.4em 0 0;line-height:1.35;font-family:monospace;background:none;color:inherit;overflow-x:auto"
_QUIET = "opacity:.7"
_RED = "color:#d33"
_RED_CARD = re.compile("(?:10|[A2-9TJQK])?[♥♦]")


def write_table(game: Any, table: Any) -> str:
    """Return the HTML of a state or a view: its deal, its score and its picture. A view shows no hidden card."""
    shown = getattr(table, "table", table)  # where all cards lie open, a view has a table
    # A view never has an id, because the id would reveal the hidden cards.
    deal = f"{game} (as the player sees it)" if hasattr(table, "sample") else _name(game, shown)
    outcome = "" if shown.outcome is None else f", {shown.outcome.value}"
    return _box(_head(deal, f"score {shown.score} of {game.most_score}{outcome}"), _picture(game, shown))


def write_result(game: Any, result: Any) -> str:
    """Return the HTML of a search result: verdict, score and effort, the table, and the moves in words."""
    score = f"score {result.score} of {game.most_score}{' (proved best)' if result.score_proved else ''}"
    effort = f"{result.stats.nodes:,} nodes, {result.stats.seconds:.3g} s, {result.engine} engine"
    head = (
        _head(_name(game, result.state), f"{result.status}, {score}") + f'<div style="{_QUIET}">{escape(effort)}</div>'
    )
    return _box(head, _picture(game, result.state), _moves(game, result.line))


def write_line(game: Any, line: Any) -> str:
    """Return the HTML of a line of play: the table at its end, and the moves in words."""
    start, end = line.states[0], line.states[-1]
    outcome = "" if line.outcome is None else f", {line.outcome.value}"
    head = _head(_name(game, start), f"score {line.score} of {game.most_score}{outcome}")
    return _box(head, _picture(game, end), _moves(game, line))


def _name(game: Any, state: Any) -> str:
    return state.id or f"{game} (typed)"


def _box(*parts: str) -> str:
    return f'<div style="{_BOX}">{"".join(parts)}</div>'


def _head(deal: str, words: str) -> str:
    return f'<div><b>{escape(deal)}</b> <span style="{_QUIET}">{escape(words)}</span></div>'


def _picture(game: Any, table: Any) -> str:
    return f'<pre style="{_TABLE}">{_coloured(game.picture(table))}</pre>'


def _moves(game: Any, line: Any) -> str:
    steps: Iterable[tuple[Any, Any]] = zip(line.states, line.moves, strict=False)
    words = [f"{game.describe(state, move).text} ({move.token})" for state, move in steps]
    if not words:
        return ""
    rows = "".join(f"<li>{_coloured(text)}</li>" for text in words)
    count = f"{len(words)} move{'s' * (len(words) != 1)}"
    return f'<details style="margin-top:.4em"><summary>{count}</summary><ol style="margin:.3em 0">{rows}</ol></details>'


def _coloured(text: str) -> str:
    return _RED_CARD.sub(lambda card: f'<span style="{_RED}">{card.group()}</span>', escape(text))
