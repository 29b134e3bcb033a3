"""A plan for Gaps in words: the claim, its proof, its value compared with its rivals', and the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unshuffle.advise.words import join
from unshuffle.cards import Suit
from unshuffle.game import INFORMATION
from unshuffle.games.gaps import Gaps, Rules, State
from unshuffle.games.gaps.hidden.choice import Known, Option
from unshuffle.games.gaps.hidden.ends import Ends
from unshuffle.games.gaps.hidden.foresight import MODELS, Checked, Locks
from unshuffle.games.gaps.hidden.planner import Plan
from unshuffle.games.gaps.hidden.reasons import groups, reasons
from unshuffle.games.gaps.hidden.rescoring import CLEAR, PAIRS
from unshuffle.games.gaps.rules import MOST_SCORE
from unshuffle.hidden.chance import Chance, percent
from unshuffle.numbers import plural
from unshuffle.solve import Line, Status
from unshuffle.solve.replay import moves_in_columns
from unshuffle.solve.result import per_second

_GLYPHS = {suit.letter: suit.glyph for suit in Suit}
_NEAR = 3
"""How many rivals are named."""


def shape_text(shape: Sequence[int]) -> str:
    """Return a shape as text, such as `9/9/8/8`."""
    return "/".join(map(str, shape))


def locks_text(locks: Locks) -> str:
    """Return the run of each row, such as `♣9 ♥8 - ♠2`."""
    return " ".join(f"{_GLYPHS[suit]}{length}" if length else "-" for suit, length in locks)


def rules_in_words(rules: Rules) -> str:
    """Return the rules that matter for a plan, in words."""
    if rules.redeals:
        gaps = "gaps anywhere" if rules.redeal_gaps == "random" else "gaps right of the runs"
        when = "at any time" if rules.early_redeal else "only when no card can move"
        words = [f"{plural(rules.redeals, 'redeal')} ({gaps}; {when})"]
    else:
        words = ["no redeal"]
    if rules.fixed_suits:
        words.append(f"rows begin with {', '.join(rules.fixed_suits)}")
    else:
        words.append(f"a 2 in column 1 {'stays' if rules.twos_locked else 'may move'}")
    return ", ".join(words)


def standing(state: State) -> str:
    """Return the phase, what is locked and the redeals left, in words."""
    phases = state.rules.redeals + 1
    locked = f"{plural(state.score, 'card')} locked ({locks_text(state.locks)})"
    return f"Phase {state.phase} of {phases}: {locked}, {plural(state.redeals_left, 'redeal')} left."


def claim(state: State, plan: Plan, model: str) -> Iterator[str]:
    """Yield the claim with its proof, the end aimed at, its rivals and the reason."""
    if state.score == MOST_SCORE:
        yield "The game is won: all cards are locked."
        return
    yield standing(state)
    yield verdict(plan)
    if plan.wins:
        return
    if not plan.redeals:
        found = plan.found
        sure = "which is the most (proved)" if found.score_proved else f"the best found; at most {found.bound}"
        yield f"No redeal is left. The plan locks {plural(plan.best.score, 'card')} {_where(plan.best)}: {sure}."
        return
    yield from _aim(state, plan)
    yield from _rivals(plan)
    yield from _policy(plan)
    weighed = [plan.best, *plan.rivals, *([plan.most_cards] if plan.most_cards else [])]
    if any(option.foretold for option in weighed):
        yield f"Assumed (model `{model}`): {MODELS[model]}."
    if plan.best.foretold:
        yield from _way(plan.best)


def verdict(plan: Plan) -> str:
    """Return whether the phase can be won, and whether that is proved, in words."""
    found = plan.found
    if plan.wins:
        return f"Winnable now: {plural(len(plan.best.moves), 'move')}."
    if found.status is Status.UNSOLVABLE:
        return f"Cannot be won in this phase (proved, {plural(found.nodes, 'position')})."
    why = {Status.MEMORY_LIMIT: " (the memory was full)", Status.CANCELLED: " (stopped)"}.get(found.status, "")
    return f"Not decided in {found.seconds:.1f} s{why}: a win was not found and is not ruled out."


def _where(option: Option) -> str:
    return f"({shape_text(option.shape)}: {locks_text(option.locks)})"


def _aim(state: State, plan: Plan) -> Iterator[str]:
    best = plan.best
    left = {1: "one redeal", 2: "two redeals", 3: "three redeals"}.get(
        state.redeals_left, plural(state.redeals_left, "redeal")
    )
    worth = "nobody knows what that is worth" if best.chance is None else percent(best.chance, best.se)
    text = f"{shape_text(best.shape)} locked: {worth} with {left} left"
    most = plan.most_cards
    if most is not None and most.shape != best.shape and most.chance is not None and best.chance is not None:
        only = "only " if most.chance < best.chance else ""
        text += f"; the most cards, {shape_text(most.shape)}, {only}{Chance(most.chance, most.se)}"
    yield f"{text}."
    if best.chance is not None and not best.foretold:
        yield f"({_source(best)}; {INFORMATION['hidden']})"
    ends = plural(len(plan.found.ends), "end")
    if plan.found.complete and len(plan.found.ends) == 1:
        yield f"It ends with {locks_text(best.locks)}; this phase can end in no other way."
    elif plan.found.complete:
        yield f"It ends with {locks_text(best.locks)}; all {ends} of this phase are known."
    else:
        yield f"It ends with {locks_text(best.locks)}; {ends} found, there may be others: the search was cut short."


def _source(best: Option) -> str:
    """Return what a chance is based on, in words."""
    error = "exact" if best.se == 0 else "± one standard error"
    if best.tries and best.se:
        return f"by the table of values and {plural(best.tries, 'simulated redeal')} of this end; {error}"
    return f"by the table of values; {error}"


def _rivals(plan: Plan) -> Iterator[str]:
    named = [
        f"{shape_text(rival.shape)} {Chance(rival.chance, rival.se)}"
        for rival in plan.rivals[:_NEAR]
        if rival.chance is not None
    ]
    if named:
        yield f"Nearest rivals: {join(named)}."
    if plan.margin is not None:
        points, noise = plan.margin
        which = "more" if points >= 0 else "less"
        rival = plan.rivals[0]
        if noise == 0:
            yield f"The plan is worth {100 * abs(points):.1f} points {which} than {shape_text(rival.shape)}: exact."
            return
        clear = "beyond its noise" if abs(points) > CLEAR * noise else "within its noise"
        # Paired, so it may differ from the chances above, which are based on the tries of each end alone.
        pairs = " by pairs of the same shuffles" if min(plan.best.tries, rival.tries) >= PAIRS else ""
        worth = f"{100 * abs(points):.1f} ± {100 * noise:.1f} points {which} than {shape_text(rival.shape)}"
        yield f"The plan is worth {worth}{pairs}: {clear}."


def _policy(plan: Plan) -> Iterator[str]:
    """Yield why this end was chosen."""
    best, most = plan.best, plan.most_cards
    if plan.policy == "fresh":
        yield "Why: little locked leaves most freedom; what ends are worth is not known for these rules."
    elif plan.policy == "max-locked":
        yield "Why: the most locked cards; what other ends are worth is not known for these rules."
    elif plan.margin is not None and most is not None and most.score > best.score:
        balance = _balance(best, most)
        yield f"Why: it is worth more. Over whole games one wins more often by this than by the most cards.{balance}"
    elif most is not None and most.score > best.score:
        if most.foretold:
            yield "Why: what comes after the most cards is known, and is worth less."
        elif balance := _balance(best, most):
            yield f"Why:{balance}"
        elif best.foretold:
            yield "Why: what comes after this end is known, and is worth more."


def _balance(best: Option, most: Option | None) -> str:
    """Return why shorter runs are kept, if they are more even, with a leading blank; else ''."""
    spread, most_spread = (max(option.shape) - min(option.shape) for option in (best, most or best))
    if spread >= most_spread:
        return ""
    rows = f"{plural(spread, 'card')} between longest and shortest run instead of {most_spread}"
    return f" Row balance: {rows}; the shorter runs leave more freedom."


def _way(best: Option) -> Iterator[str]:
    """Yield what the model predicts."""
    if best.foretold > 1:
        yield f"The next redeal is known up to {best.foretold} boards; the chance is their mean."
        return
    last = best.known[-1] if best.known else None
    phases = plural(len(best.known), "phase")
    if last is not None and last.wins:
        yield f"Then the way is known to the win, through {phases} more."
    elif best.chance == 0:
        proof = "proved" if best.se == 0 else "not proved"
        yield f"What comes then was searched too, and no win was found in it ({proof})."
    else:
        are = "is" if len(best.known) == 1 else "are"
        yield f"Then {phases} more {are} known, up to a redeal that nobody has seen."


def closing(state: State, plan: Plan) -> str:
    """Return what follows the moves: the redeal, and the moves of the predicted phases."""
    if not plan.redeals:
        return ""
    return "\n".join(["then redeal" if plan.best.moves else "redeal at once", *_known_lines(state, plan.best.known)])


def _known_lines(state: State, known: Sequence[Known]) -> Iterator[str]:
    for number, part in enumerate(known, state.phase + 1):
        ends = "wins" if part.wins else "then a redeal" if number <= state.rules.redeals else "no win"
        tokens = " ".join(move.token for move in part.moves) or "no move"
        yield f"Phase {number}, if it comes as foretold: {tokens} ({ends})"


def statistics(found: Ends) -> str:
    """Return the counts of the search, in words."""
    speed = per_second(found.nodes, found.seconds)
    rate = "" if speed is None else f" ({speed:,.0f} a second)"
    return (
        f"{plural(found.nodes, 'position')} in {found.seconds:.2f} s{rate}, longest line {found.depth},"
        f" {found.memory / 1e6:.1f} MB, {plural(found.threads, 'thread')}."
    )


def chance_of(option: Option) -> Chance | None:
    """Return the chance to win by this end; None if unknown."""
    return None if option.chance is None else Chance(option.chance, option.se)


def numbered(game: Gaps, line: Line, explain: str) -> list[str]:
    """Return the moves in groups that end with a lock, each with its reason."""
    found = reasons(line)
    rows = list(moves_in_columns(game, line))
    lines: list[str] = []
    for group in groups(found):
        if lines:
            lines.append("")
        for place in group:
            number, kind, token, prose = rows[place]
            if explain == "full":
                lines += [f"{number}  {kind}  {token}  {prose}", f"{'':{len(number) + 2}}why: {found[place].text}"]
            else:
                lines.append(f"{number}  {kind}  {token}  {found[place].text}")
    return lines


# Another pass.


def checked_words(checked: Checked, kept: str, passes: int, used: int) -> Iterator[str]:
    """Yield whether the typed boards confirm or refute the model; `kept` is the model assumed before them."""
    names = [model for model, _ in checked.refuted]
    # The models before it were refuted and reported earlier.
    new = checked.refuted[names.index(kept) :] if kept in names else ()
    for model, number in new:
        yield f"Redeal {used + number} did not come as the model `{model}` foretold: it is refuted for this game."
    if new:
        yield f"From now on the model `{checked.model}` is assumed: {MODELS[checked.model]}."
    elif checked.model != kept:
        yield f"The model `{checked.model}` is assumed again: what spoke against it is gone."
    if checked.confirmed:
        times = plural(checked.confirmed, "time")
        yield f"The model `{checked.model}` was confirmed {times}; it is still an assumption."
    elif passes > 1 and not new:
        tested = "" if checked.refuted else " Nothing has tested it yet."
        yield f"Assumed (model `{checked.model}`): {MODELS[checked.model]}.{tested}"


def hindsight(found: Ends, end: State) -> str:
    """Return what a lost phase would have allowed, beside what the player locked."""
    done = f"you locked {end.score}"
    if found.status is Status.SOLVED:
        return f"it could be won, in {plural(len(found.moves), 'move')}; {done}"
    proof = "could not be won (proved)" if found.status is Status.UNSOLVABLE else "not decided"
    return f"{proof}; {'at most' if found.score_proved else 'found'} {found.score} locked, {done}"


def outlook(model: str, is_lost: bool) -> Iterator[str]:
    """Yield what a further pass can gain."""
    if model == "none":
        yield "By the model `none` no redeal comes again: this pass knows the first board, and nothing else."
    elif model in ("board", "locked") and is_lost:
        yield (
            f"By the model `{model}` the last phase comes again only after the same ends, and it was proved lost: to"
            " know it helps only to choose other locks earlier, and so to leave the record."
        )
    elif model in ("order", "permutation"):
        yield f"By the model `{model}` the redeals are known also after other play, as far as records apply."
