"""La Belle Lucie's part in the flow of `unshuffle advise`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unshuffle.advise.adviser import Advice, Adviser, Draft, Origin, Setting
from unshuffle.games.belle_lucie import BelleLucie, State
from unshuffle.games.belle_lucie.advise import table
from unshuffle.games.belle_lucie.rules import RedealView
from unshuffle.hidden.chance import Chance
from unshuffle.numbers import plural
from unshuffle.views import OpenView

if TYPE_CHECKING:
    from unshuffle.games.belle_lucie.hidden.planner import Alternative


_TYPING = """\
Type one fan per answer, its bottom card first and the playable card last: KH 2S 8S, or k♥ 2s 8s.
The entry ends by itself when all cards are there, or with a blank answer.
`3: KH 2S 8S` sets fan 3; `Deck:` and all cards in deal order lay out everything. Many lines may be pasted."""
_POSITIONS = """
Cards in no fan are on the foundations. For a position in play there are also
`Deal: 2`, `Merci: 0` (mercis left) and `Foundations: 5C AH`."""


class BelleLucieAdviser(Adviser):
    """Fans are typed one by one; the plan is the one that wins most often."""

    game: BelleLucie
    has_redeals = True
    phase_word = "deal"
    kept_name = "heights"
    moves_help = "AS^ to its foundation, 8S>9S onto a fan, *JC^ *JC>QC *JC by merci, KH>- into an empty fan"
    edit_prompt = "Fan and cards (3: KH 2S 8S), blank to end?"

    @property
    def rules_in_words(self) -> str:
        """Deals and mercis."""
        from unshuffle.games.belle_lucie.advise.words import rules_in_words

        return rules_in_words(self.game.rules)

    # The table as it is typed.

    def entry_help(self, setting: Setting) -> str:
        """How fans are typed."""
        return _TYPING if setting.origin is Origin.REDEAL else _TYPING + _POSITIONS

    def next_place(self, draft: Draft, setting: Setting) -> str:
        """The first fan that is not there."""
        return f"fan {draft.cells.index('') + 1 if '' in draft.cells else len(draft.cells) + 1}"

    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """A fan, a line with a label, or several."""
        return table.enter(self.game, draft, answer, setting, is_edit)

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """As many cards as there are to deal."""
        return table.count(draft) >= table.expected_count(self.game, draft, setting)

    def tidy(self, draft: Draft) -> Draft:
        """Only fans that were entered."""
        return table.tidy(self.game, draft)

    def faults(self, draft: Draft, setting: Setting) -> list[str]:
        """In the words of the game."""
        return table.faults(self.game, draft, setting)

    def early_faults(self, draft: Draft, setting: Setting) -> list[str]:
        """Doubled cards, and words that are no cards."""
        return table.faults(self.game, draft, setting, early=True)

    def lay_out(self, draft: Draft, setting: Setting) -> State:
        """The state."""
        return table.lay_out(self.game, draft, setting)

    def draft_of(self, state: State) -> Draft:
        """Its fans."""
        return table.draft_of(state)

    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """Numbered fans."""
        return table.rows(draft, for_person)

    # Play.

    def phase_name(self, state: State) -> str:
        """Which deal."""
        return f"deal {state.deal} of {state.rules.redeals + 1}"

    def redeal_name(self, state: State) -> str:
        """Which redeal."""
        return f"redeal {state.deal}"

    def redeal_help(self, state: State) -> str:
        """What to do at the table."""
        size = self.game.rules.fan_size
        full, rest = divmod(52 - state.score, size)
        fans = [f"{plural(full, 'fan')} of {size}"] * bool(full) + [f"{'one' if full else 'one fan'} of {rest}"] * bool(
            rest
        )
        cards = plural(52 - state.score, "card")
        return f"Gather the {cards} of the fans, shuffle and deal again: {' and '.join(fans)}."

    def redeal_token(self, draft: Draft, before: State) -> str:
        """`r=` and the cards in deal order."""
        return table.redeal_token(draft)

    def kept(self, state: State) -> list[Any]:
        """The heights of the foundations."""
        return list(state.foundations)

    def worth(self, state: State) -> Chance | None:
        """What the tables say about these heights."""
        from unshuffle.games.belle_lucie.hidden import values

        value = values.of_rules(state.rules).shown(state.foundations, state.redeals_left - 1, state.mercis)
        return None if value is None else Chance(value.p, value.se)

    def advise(self, view: OpenView[State] | RedealView) -> Advice:
        """The plan for this deal."""
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
