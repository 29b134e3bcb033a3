"""Which Agnes Sorel Masten and Wolter have counted: `python studies/agnes_masten.py [--store FILE] [--out FILE]`.

Reads the study of `unshuffle study run studies/agnes.toml`, finished or not, and writes docs/results/agnes-masten.md.
Every sentence with a finding is computed: the same store gives the same page.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import (
    LEVEL,
    Found,
    both_rates,
    count_of,
    figures_of,
    make_page,
    make_parser,
    names,
    nearest_p,
    prose,
    read_solved,
    table,
    test_count,
    write_making,
    write_range,
    write_wins,
)
from unshuffle.errors import UsageError
from unshuffle.registry import game as find_game
from unshuffle.store import Store
from unshuffle.study.inference import check_implications
from unshuffle.study.statistics import holm
from unshuffle.study.tables import plural, write_p

STUDY = "agnes"
MASTEN = {each.label: count_of(each) for each in figures_of("agnes", "Masten 2021")}
WOLTER = {each.label: count_of(each) for each in figures_of("agnes", "Wolter 2013")}
WOLTER_GAMES = {each.label: each.variant for each in figures_of("agnes", "Wolter 2013")}


# The sections of the page.


def write_head(found: dict[str, Found]) -> str:
    """Return the introduction, with the conditions of the numbers."""
    return "\n\n".join(
        [
            "# Which Agnes Sorel have Masten and Wolter counted?",
            prose(
                "Which rules Masten's and Wolter's figures of Agnes Sorel can come from. Both state their rules in"
                f" part, so their figures are tested against {len(found)} of the {len(find_game('agnes').variants)}"
                " variants ([the rules](../games/agnes.md)). A program writes this page from the results of"
                " [a study](agnes.md); [statistics.md](../statistics.md) explains its numbers."
            ),
            "```sh\nunshuffle study run studies/agnes.toml\npython studies/agnes_masten.py\n```",
            write_making([*found.values()], STUDY),
        ]
    )


def write_masten(found: dict[str, Found]) -> str:
    """Return the section about the rules that have all three rates of Masten 2021."""
    counts = ", ".join(f"{name} {other.won:,}" for name, other in MASTEN.items())
    parts = [
        "## Which rules has Masten 2021?",
        prose(
            f"Deals won of {MASTEN['none'].n:,} each, by what may go to an empty pile: {counts}. The other rules are"
            " not told. A family fixes what is face up, what moves together, splitting, and whether one card or a run"
            " goes to an empty pile; it fits if none of its three rates is told apart from his. p of a family: the"
            " least of the three times three (Bonferroni, which holds although the three are of the same deals); then"
            " Holm's adjustment for the number of families. Undecided deals of ours are taken to end as fits best."
        ),
    ]
    families: list[tuple[str, list[str], list[float]]] = []
    for kind, facing, packing, split in product(("run", "1"), ("up", "down"), ("color", "suit"), ("", "-nosplit")):
        policies = ["none", f"high{kind}", f"any{kind}"]
        variants = [f"{facing}-{packing}-{policy}{split}" for policy in policies]
        if all(variant in found for variant in variants):
            p_values = [
                nearest_p(found[each].rate, other) for each, other in zip(variants, MASTEN.values(), strict=True)
            ]
            families.append((f"{facing}-{packing}-{{{','.join(policies)}}}{split}", variants, p_values))
    if not families:
        return "\n\n".join([*parts, "No family has all three runs in the store."])
    combined = [min(1.0, 3 * min(p_values)) for _, _, p_values in families]
    adjusted = holm(combined)
    rows = []
    for (name, variants, p_values), together, after in zip(families, combined, adjusted, strict=True):
        cells = [f"{both_rates(found[each].rate)[0]}; {write_p(p)}" for each, p in zip(variants, p_values, strict=True)]
        rows.append([f"`{name}`", *cells, write_p(together), write_p(after)])
    head = ["family", *(f"{each}: rate; p" for each in MASTEN), "p of all", f"p (Holm of {len(families)})"]
    fitting = [name for (name, _, _), p in zip(families, adjusted, strict=True) if p >= LEVEL]
    complete = f"the {len(families)} families that have all three runs in the store"
    if not fitting:
        verdict = f"At 5 % none of {complete} fits."
    elif len(fitting) == 1:
        verdict = f"At 5 % one of {complete} fits: {names(fitting)}."
    else:
        verdict = f"At 5 % {len(fitting)} of {complete} fit, and these deals do not tell them apart: {names(fitting)}."
    return "\n\n".join([*parts, table(head, rows), prose(verdict), prose(_fit_singly(found))])


def _fit_singly(found: dict[str, Found]) -> str:
    """Return a sentence that lists, for each of his rates alone, the variants that do not differ significantly."""
    sentences = []
    for name, other in MASTEN.items():
        policies = [name] if name == "none" else [f"{name}run", f"{name}1"]
        own = [each for each in found if each.split("-")[2] in policies]
        fitting = [each for each in own if nearest_p(found[each].rate, other) >= LEVEL]
        sentences.append(
            f"{name} is not told apart from {names(fitting)}" if fitting else f"{name} is told apart from all"
        )
    return f"Each rate by itself, at 5 % without adjustment: {'; '.join(sentences)}."


def write_wolter(found: dict[str, Found]) -> str:
    """Return the section about the variants that have the rates of Wolter 2013."""
    parts = ["## What can Wolter's two figures be?"]
    for name, other in WOLTER.items():
        own = WOLTER_GAMES[name]
        share = other.won / other.n
        text = [f"**{name.capitalize()}**: {other.won:,} of {other.n:,}, {100 * share:.4f} %; by its rules `{own}`."]
        if own in found:
            ours = found[own]
            test = test_count(ours.rate, other)
            if test.least < LEVEL <= test.most:
                verdict = "it depends on undecided deals whether they are told apart at 5 %"
            else:
                verdict = f"at 5 % {'' if test.most < LEVEL else 'not '}told apart from his"
            count = write_wins(ours.counts.won, ours.counts.n, ours.counts.undecided)
            p_value = write_range(test.least, test.most)
            text.append(f"Ours is {both_rates(ours.rate)[0]} ({count}), p {p_value}: {verdict}.")
        else:
            text.append("That variant is not in the store.")
        text.append(_place(found, share))
        parts.append(prose(*text))
    both = [
        f"{facing}-{packing}-*{split}"
        for facing, packing, split in product(("up", "down"), ("color", "suit"), ("", "-nosplit"))
        if all(
            any(_contains(found[v], other.won / other.n) for v in found if _is_of(v, facing, packing, split))
            for other in WOLTER.values()
        )
    ]
    if both:
        parts.append(
            prose(f"Rules under which some policy for empty piles has the one and some the other: {names(both)}.")
        )
    else:
        parts.append("No choice of what is face up, what moves together and splitting has both, under any policies.")
    return "\n\n".join(parts)


def _is_of(variant: str, facing: str, packing: str, split: str) -> bool:
    first, second, _, *rest = variant.split("-")
    return (first, second, bool(rest)) == (facing, packing, bool(split))


def _contains(found: Found, share: float) -> bool:
    return found.rate.low <= share <= found.rate.high_if_won


def _place(found: dict[str, Found], share: float) -> str:
    """Return sentences about which intervals contain a rate, or between which ones it lies."""
    holding = [each.variant for each in found.values() if _contains(each, share)]
    if holding:
        return f"Of {plural(len(found), 'variant')} the interval contains his rate in {names(holding)}."
    words = [f"The interval of none of the {plural(len(found), 'variant')} contains his rate."]
    below = [each for each in found.values() if each.rate.high_if_won < share]
    above = [each for each in found.values() if each.rate.low > share]
    if not below:
        words.append(
            "All of them lie above it: by these intervals perfect play with all cards known wins more often under every"
            " one of these rules. So it is of another game or of another policy, or it is wrong; these results"
            " cannot tell which."
        )
    elif not above:
        words.append("All of them lie below it.")
    else:
        nearest = max(below, key=lambda each: each.rate.high_if_won), min(above, key=lambda each: each.rate.low)
        words.append(f"The nearest below is `{nearest[0].variant}`, the nearest above `{nearest[1].variant}`.")
    return " ".join(words)


def write_page(store: Store) -> str:
    """Return the whole page."""
    check_implications(store, STUDY)
    found = read_solved(store, STUDY, "agnes")
    if not found:
        raise UsageError(f"the study {STUDY!r} has no finished deals of agnes by the solver")
    return "\n\n".join([write_head(found), write_masten(found), write_wolter(found)]) + "\n"


def main() -> int:
    return make_page(make_parser(__doc__, "agnes-masten.md").parse_args(), write_page)


if __name__ == "__main__":
    raise SystemExit(main())
