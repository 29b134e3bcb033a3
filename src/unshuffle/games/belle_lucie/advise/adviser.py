"""La Belle Lucie's adviser for `unshuffle advise`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unshuffle.advise.adviser import Advice, Adviser
from unshuffle.advise.parts import Draft, Redeals
from unshuffle.games.belle_lucie import BelleLucie, State
from unshuffle.games.belle_lucie.advise.table import TypedFans, redeal_token
from unshuffle.games.belle_lucie.rules import RedealView
from unshuffle.hidden.chance import Chance
from unshuffle.numbers import plural
from unshuffle.views import OpenView

if TYPE_CHECKING:
    from unshuffle.games.belle_lucie.hidden.planner import Alternative


class FanRedeals(Redeals):
    """A redeal, in which the fans are gathered, shuffled and dealt again."""

    game: BelleLucie

    def name(self, state: State) -> str:
        """Return which redeal comes."""
        return f"redeal {state.deal}"

    def help(self, state: State) -> str:
        """Return what to do at the table."""
        size = self.game.rules.fan_size
        full, rest = divmod(52 - state.score, size)
        fans = [f"{plural(full, 'fan')} of {size}"] * bool(full) + [f"{'one' if full else 'one fan'} of {rest}"] * bool(
            rest
        )
        cards = plural(52 - state.score, "card")
        return f"Gather the {cards} of the fans, shuffle and deal again: {' and '.join(fans)}."

    def token(self, draft: Draft, before: State) -> str:
        """Return the redeal's token: `r=` and the cards in deal order."""
        return redeal_token(draft)

    def worth(self, state: State) -> Chance | None:
        """Return the chance to win by a redeal at these heights; None if no table has it."""
        from unshuffle.games.belle_lucie.hidden import values

        value = values.of_rules(state.rules).shown(state.foundations, state.redeals_left - 1, state.mercis)
        return None if value is None else Chance(value.p, value.se)


class BelleLucieAdviser(Adviser):
    """The adviser: fans are typed one by one, and the plan that wins most often is recommended."""

    game: BelleLucie
    typed_by = TypedFans
    redealt_by = FanRedeals
    phase_word = "deal"
    kept_name = "heights"
    moves_help = "AS^ to its foundation, 8S>9S onto a fan, *JC^ *JC>QC *JC by merci, KH>- into an empty fan"

    @property
    def rules_in_words(self) -> str:
        """The deals and mercis, in words."""
        from unshuffle.games.belle_lucie.advise.words import rules_in_words

        return rules_in_words(self.game.rules)

    def phase_name(self, state: State) -> str:
        """Return which deal this is."""
        return f"deal {state.deal} of {state.rules.redeals + 1}"

    def kept(self, state: State) -> list[Any]:
        """Return the heights of the foundations."""
        return list(state.foundations)

    def advise(self, view: OpenView[State] | RedealView) -> Advice:
        """Return the plan for this deal, as advice."""
        from unshuffle.games.belle_lucie.advise import words
        from unshuffle.games.belle_lucie.hidden import planner

        state = view.table
        plan = planner.plan(state)
        ends = "won" if plan.wins else "redeal" if plan.redeals else "lost"
        values = {
            "status": "solved" if plan.wins else "unsolvable" if plan.complete else "undecided",
            "win_chance": plan.chance,
            "win_chance_se": plan.se,
            "redeals_left": state.redeals_left,
            "mercis_left": state.mercis,
            "heights": list(plan.heights),
            "score": sum(plan.heights),
            "most_cards": None if plan.most_cards is None else _values(plan.most_cards),
            "alternatives": [] if plan.next_best is None else [_values(plan.next_best)],
            "nodes": plan.nodes,
            "seconds": plan.seconds,
        }
        return Advice(
            plan.moves,
            ends,
            words.chance_of(plan),
            tuple(words.claim(state, plan)),
            "" if not plan.redeals else "then redeal" if plan.moves else "redeal at once",
            tuple(words.background(state, plan)),
            values,
        )


def _values(part: Alternative) -> dict[str, Any]:
    tokens = [move.token for move in part.moves]
    return {"moves": tokens, "heights": list(part.heights), "win_chance": part.chance, "win_chance_se": part.se}
