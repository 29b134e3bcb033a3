"""Text about an advised game: one piece of advice, and the summary of the whole game."""

from __future__ import annotations

from typing import Any

from unshuffle.advise.adviser import Advice, Adviser
from unshuffle.advise.console import Draw
from unshuffle.advise.record import Pass, Played
from unshuffle.numbers import plural


def advice_lines(adviser: Adviser, view: Any, advice: Advice, explain: str, draw: Draw) -> list[str]:
    """Return the advice in words; `explain` is 'none' (no moves), 'short', or 'full' (with the table after them)."""
    line = adviser.foresee(view, advice.moves)
    lines = list(advice.claim)
    if explain != "none":
        lines += ["", *adviser.numbered(line, explain)] if line.moves else []
        lines += advice.closing.splitlines()
    if explain == "full":
        if len(line.states) > len(line.moves):
            lines += ["", "The table then:", *draw(adviser.game, line.states[-1])]
        lines += ["", *advice.background] if advice.background else []
    if explain != "none" and advice.statistics:
        lines += [*([""] if explain == "full" else []), advice.statistics]
    return lines


def story(adviser: Adviser, played: Pass, replayed: list[Played]) -> list[str]:
    """Return the result of the game, and the chance to win in each phase."""
    game = adviser.game
    moves = sum(len(part.moves) for part in replayed)
    score = replayed[-1].states[-1].score
    counts = f"{score} of {game.most_score} {game.score_counts}".rstrip()
    deals = f", {plural(len(replayed), adviser.phase_word)}" if adviser.redeals is not None else ""
    lines = [f"{(played.result or 'not over').capitalize()}: {counts}{deals}, {plural(moves, 'move')}."]
    for phase, part in zip(played.phases, replayed, strict=False):  # the last phase may still be typed
        name, end = adviser.phase_name(part.states[0]), adviser.end_words(part.states[-1])
        words = [plural(len(part.moves), "move"), *([end] if end != name else [])]
        if phase.chance is not None:
            words.append(f"chance to win {phase.chance} at the first advice")
        if phase.worth is not None:
            words.append(f"{phase.worth} at its end")
        lines.append(f"  {name}: {', '.join(words)}")
    return lines
