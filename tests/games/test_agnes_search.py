"""What the search of Agnes Sorel leaves out, against the search that leaves out nothing, on shrunken decks."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import DATA, ROOT, asked, deal_numbers, for_each, native_module
from unshuffle.game import Hooks
from unshuffle.games.agnes import Agnes, Move, Rules, State, ToFoundation, implications, search
from unshuffle.games.agnes.rules import partner
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status, has_twin, reference
from unshuffle.solve.limits import Limits

VARIANTS = un.games()["agnes"]
HOOKS: dict[str, Hooks[Any, Any]] = {
    "forced": Hooks(forced=search.forced),
    "bound": Hooks(bound=search.bound),
    "key": Hooks(key=search.key),
    "order": Hooks(order=search.order),
    "all": Agnes().hooks(),
}
# Ranks, piles, decks of each variant; and decks whose plain search has more positions than this are left out.
SHORT = ((4, 3, 1, 500), (5, 3, 1, 300))
LONG = ((4, 3, 60, 10_000), (5, 3, 20, 10_000), (5, 4, 8, 10_000), (6, 4, 3, 10_000))


def find(state: State, hooks: Hooks[Any, Any] | None = None, *, maximize: bool = True, nodes: int | None = None) -> Any:
    """A search of the whole of it, unless it is too large."""
    most = 4 * state.rules.ranks
    return reference.search(state, Limits(nodes=nodes), maximize=maximize, most_score=most, hooks=hooks)


def check_hooks(game: un.Game[Any, Any], decks: int, nodes: int, first: int) -> None:
    """Compare every hook with the plain search, on so many decks that are small enough for it."""
    seeds = count(first)
    while decks:
        state = game.deal(next(seeds))
        plain = find(state, nodes=nodes)
        if plain.status is Status.NODE_LIMIT:
            continue
        decks -= 1
        assert search.bound(state) >= plain.score, state.id
        for name, hooks in HOOKS.items():
            best = find(state, hooks)
            assert (best.status, best.score, best.score_proved) == (plain.status, plain.score, True), (state.id, name)
            assert find(state, hooks, maximize=False).status is plain.status, (state.id, name)


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_hook_changes_a_verdict_or_a_best_score(variant: str) -> None:
    for ranks, piles, decks, nodes in SHORT:
        # Each variant has decks of its own.
        check_hooks(un.game("agnes", variant, ranks=ranks, piles=piles), decks, nodes, 1000 * VARIANTS.index(variant))


@pytest.mark.long
@pytest.mark.parametrize(("ranks", "piles", "decks", "nodes"), LONG)
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_hook_changes_a_verdict_or_a_best_score_on_many_decks(
    variant: str, ranks: int, piles: int, decks: int, nodes: int
) -> None:
    game = un.game("agnes", variant, ranks=ranks, piles=piles)
    check_hooks(game, decks, nodes, 1000 * VARIANTS.index(variant) + 500)


# The reference: searched to the end by another program, without any pruning.

ROWS = list(csv.DictReader((DATA / "agnes" / "small.csv").read_text().splitlines()))


def check_row(row: dict[str, str]) -> None:
    game = un.game("agnes", row["variant"], ranks=int(row["ranks"]), piles=int(row["piles"]))
    state = game.parse(f"Deck: {row['deck']}")
    status = Status.SOLVED if row["verdict"] == "won" else Status.UNSOLVABLE
    best = un.solve(state, maximize=True)
    assert (best.status, best.score, best.score_proved) == (status, int(row["max_score"]), True), row
    assert un.solve(state).status is status, row


@pytest.mark.both_engines
def test_a_sample_of_the_reference() -> None:
    assert len(ROWS) == 2880
    assert {row["variant"] for row in ROWS} == set(VARIANTS)
    for row in ROWS[::41]:  # 41 shares no factor with 40, so every variant has its turn
        check_row(row)


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.both_engines
def test_the_whole_reference(variant: str) -> None:
    for row in ROWS:
        if row["variant"] == variant:
            check_row(row)


# Decks that have caught what was wrong.


def deck(text: str, variant: str, ranks: int = 4, piles: int = 3) -> State:
    state: State = un.game("agnes", variant, ranks=ranks, piles=piles).parse(f"Deck: {text}")
    return state


def forced_as_in_split_games(state: State) -> Move | None:
    """The rule of the split games taken for all games, as the peer does."""
    for number, pile in enumerate(state.piles, 1):
        height = state.height(pile[-1]) if pile else -1
        if pile and height == state.foundations[pile[-1].suit] <= state.foundations[partner(pile[-1].suit)] + 1:
            return ToFoundation(number)
    return None


A_CARD_KEEPS_A_RUN_APART = [
    ("AD 2H 3D AC 5S 5C AS AH 2S 4D 5H 3H 2C 3S 2D 4C 3C 4S 4H 5D", "up-suit-any1-nosplit", 5, 4),
    ("AD 2H 3D AC 5S 5C AS AH 2S 4D 5H 3H 2C 3S 2D 4C 3C 4S 4H 5D", "up-suit-high1-nosplit", 5, 4),
    ("AC 2C 3H 4D AD 2S 4C 3D AS AH 4H 2H 2D 3C 4S 3S", "up-color-none-nosplit", 4, 3),
    ("4H 2C 2H 3D 4S 3H 2D 2S AD AH 3C 3S AC 4D 4C AS", "up-color-anyrun-nosplit", 4, 3),
]


@pytest.mark.parametrize(("text", "variant", "ranks", "piles"), A_CARD_KEEPS_A_RUN_APART)
@pytest.mark.both_engines
def test_where_runs_may_not_be_split_a_card_can_be_worth_more_in_its_pile(
    text: str, variant: str, ranks: int, piles: int
) -> None:
    state = deck(text, variant, ranks, piles)
    assert find(state, HOOKS["forced"]).status is Status.SOLVED
    assert find(state, HOOKS["all"], maximize=False).status is Status.SOLVED
    assert find(state, Hooks(forced=forced_as_in_split_games)).status is Status.UNSOLVABLE
    assert un.solve(state).status is Status.SOLVED


@pytest.mark.parametrize(
    ("text", "variant", "ranks"),
    [
        ("3H 2D 4D 3D 2H 4C 3S AH AS 2S 4H 2C AC 4S 3C AD", "down-color-highrun-nosplit", 4),
        ("2S AC 5C 3S 2C 2H AD 4D AH 3H 4H 3D 4S 3C 5S 2D 4C 5D 5H AS", "up-color-none-nosplit", 5),
    ],
)
@pytest.mark.both_engines
def test_a_dealt_card_is_not_bound_for_certain_to_the_column_under_it(text: str, variant: str, ranks: int) -> None:
    # Another card may lie between; a bound that takes the run for granted calls these decks lost.
    state = deck(text, variant, ranks)
    assert search.bound(state) == 4 * ranks
    assert find(state, HOOKS["bound"], maximize=False).status is Status.SOLVED
    assert un.solve(state).status is Status.SOLVED


@pytest.mark.both_engines
def test_a_whole_pile_may_have_to_move_where_it_turns_a_card_up() -> None:
    state = deck("4H AD 4S 2C 3H 2S 3S 2D AC AH AS 4C 4D 3C 2H 3D", "down-color-anyrun")
    assert find(state, HOOKS["key"]).status is Status.SOLVED
    assert un.solve(state).status is Status.SOLVED


@pytest.mark.parametrize("variant", ["down-color-any1", "up-suit-highrun-nosplit", "down-suit-anyrun+ranks=5+piles=4"])
@for_each
@given(seed=deal_numbers)
def test_equal_keys_are_positions_that_are_worth_the_same(variant: str, seed: int) -> None:
    for state in un.game("agnes", variant).small_states(seed):
        reached = len(state.stock)

        def turned(start: int, state: State = state) -> State:
            """The same table with the piles from this one on in the opposite order."""
            piles = state.piles[:start] + state.piles[start:][::-1]
            down = state.down[:start] + state.down[start:][::-1]
            return replace(state, piles=piles, down=down)

        alike = turned(reached)
        assert search.key(alike) == search.key(state)
        assert find(alike).score == find(state).score
        for other in (turned(0), replace(state, stock=())):
            is_alike = other.stock == state.stock and other.piles[:reached] == state.piles[:reached]
            assert (search.key(other) == search.key(state)) == is_alike
        for number, down in enumerate(state.down):
            if down:
                fewer = replace(state, down=(*state.down[:number], down - 1, *state.down[number + 1 :]))
                assert search.key(fewer) != search.key(state)


@pytest.mark.both_engines
def test_the_moves_of_a_search_are_counted_by_kind() -> None:
    state = un.game("agnes", "up-suit-highrun").deal("python:12345#3")
    stats = un.solve(state).stats
    # Both engines prune alike here, and look at everything that is left.
    names = ("nodes", "forced_moves", "blocked", "dead_ends", "deals", "tableau_moves", "foundation_moves")
    assert [stats[name] for name in names] == [45, 18, 42, 0, 45, 124, 18]


# Implications between variants.


def rules_of(name: str) -> Rules:
    return Agnes.variants[name]


@cache
def answers() -> dict[str, dict[str, tuple[bool, int]]]:
    """By deck and variant: won or not, and the best score, from the reference."""
    found: dict[str, dict[str, tuple[bool, int]]] = {}
    for row in ROWS:
        found.setdefault(row["deck"], {})[row["variant"]] = (row["verdict"] == "won", int(row["max_score"]))
    return found


def stricter(variant: str) -> set[str]:
    game = un.game("agnes", variant)
    return {other for other in VARIANTS if un.game("agnes", other).is_stricter(game)}


def test_what_is_won_under_stricter_rules_is_won_under_looser_ones() -> None:
    assert len(answers()) == 72
    for variant in VARIANTS:
        for other in stricter(variant):
            for text, answer in answers().items():
                assert answer[other] <= answer[variant], (text, other, variant)


@given(seed=deal_numbers)
def test_implications_hold_on_random_decks(seed: int) -> None:
    variant = VARIANTS[seed % 40]
    game = un.game("agnes", variant, ranks=4, piles=3)
    best = find(game.deal(seed), HOOKS["all"])
    for other in (un.game("agnes", each, ranks=4, piles=3) for each in stricter(variant)):
        assert other.is_stricter(game)
        least = find(other.deal(seed), HOOKS["all"])
        assert least.score <= best.score, (seed, other.variant, variant)
        assert (least.status is Status.SOLVED) <= (best.status is Status.SOLVED)


def test_the_implications_are_those_of_the_specification() -> None:
    assert stricter("down-suit-none-nosplit") == set()
    assert stricter("up-color-none-nosplit") == set()
    assert stricter("up-color-none") == {
        "up-color-none-nosplit",
        "up-suit-none",
        "up-suit-none-nosplit",
        "down-color-none",
        "down-color-none-nosplit",
        "down-suit-none",
        "down-suit-none-nosplit",
    }
    assert stricter("up-suit-anyrun-nosplit") == {
        f"up-suit-{policy}-nosplit" for policy in ("none", "high1", "any1", "highrun")
    }
    # The loosest rules of all are looser than every other; chains are followed, and nothing is stricter than itself.
    assert stricter("up-color-anyrun") == set(VARIANTS) - {"up-color-anyrun"}
    for variant in VARIANTS:
        assert variant not in stricter(variant)
        for other in stricter(variant):
            assert stricter(other) <= stricter(variant)


@pytest.mark.parametrize(
    ("won", "lost", "text"),
    [
        ("up-suit-none-nosplit", "up-color-none-nosplit", "4S AS 4H 3C 2C 2S AC 4D 3H 3S AD 3D 4C 2D AH 2H"),
        ("down-color-none-nosplit", "up-color-none-nosplit", "4S AS 4H 3C 2C 2S AC 4D 3H 3S AD 3D 4C 2D AH 2H"),
        ("up-suit-any1", "up-suit-highrun", "2S 2C 3D 3H 4H 3C 4S AH 4D 2D AS AD 4C 2H 3S AC"),
        ("up-suit-highrun", "up-suit-any1", "3S AD 4S 4C AH 3D AC AS 2S 2D 3H 2C 4D 3C 2H 4H"),
        ("up-color-none", "down-color-none", "4C 2H 3C AC 5S AH 5H 3D 2D 5C AS 3S 4D AD 4H 3H 2C 4S 5D 2S"),
    ],
)
def test_these_are_no_implications(won: str, lost: str, text: str) -> None:
    ranks = len(text.split()) // 4
    assert find(deck(text, won, ranks)).status is Status.SOLVED
    assert find(deck(text, lost, ranks)).status is Status.UNSOLVABLE
    assert won not in stricter(lost)


def test_no_step_of_the_implications_goes_both_ways() -> None:
    # Every pair that differs in one choice: under the looser value some deck has the greater score. (The reference has
    # no such deck for `up` and `down`; the test before this one has.)
    gains: dict[tuple[str, str, str], bool] = {}
    for variant in VARIANTS:
        for other in stricter(variant):
            loose, strict = write_rules(rules_of(variant)), write_rules(rules_of(other))
            changed = [(name, strict[name], loose[name]) for name in loose if loose[name] != strict[name]]
            if len(changed) == 1 and changed[0][0] != "face_up":
                gained = any(answer[other] < answer[variant] for answer in answers().values())
                gains[changed[0]] = gains.get(changed[0], False) or gained
    assert len(gains) == 2 + 9
    assert all(gains.values()), gains


def test_the_loosest_game_of_all() -> None:
    assert len(implications.stricter(rules_of("up-color-anyrun"))) == 39


# The example deals: each is won under its policy, and under no stricter one.

EXAMPLES = {
    "none": ("down-color-none", ()),
    "high1": ("up-suit-high1", ("up-suit-none",)),
    "highrun": ("up-suit-highrun", ("up-suit-high1",)),
    "any1": ("up-suit-any1", ("up-suit-highrun",)),
    "anyrun": ("up-suit-anyrun", ("up-suit-any1", "up-suit-highrun")),
}


@pytest.mark.parametrize("policy", EXAMPLES)
@pytest.mark.both_engines
def test_example_deals_are_won_under_their_policy(policy: str) -> None:
    text = (ROOT / "examples" / f"agnes-{policy}.txt").read_text()
    variant, losing = EXAMPLES[policy]
    game = un.game("agnes", variant)
    assert f"--variant {variant} " in text
    result = un.solve(game.parse(text))
    assert result.status is Status.SOLVED
    assert un.replay(result.state, result.moves).outcome is un.Outcome.WON
    if has_twin(game):  # too slow for the Python side
        for other in losing:
            assert un.solve(un.game("agnes", other).parse(text)).status is Status.UNSOLVABLE


@pytest.mark.parametrize("variant", ["up-suit-anyrun", "up-color-anyrun", "down-color-any1", "up-suit-any1-nosplit"])
@pytest.mark.both_engines
def test_the_engine_makes_lines_shorter_that_end_alike(variant: str) -> None:
    game, native = un.game("agnes", variant), native_module()
    before = after = 0
    for seed in range(5):
        state = game.deal(seed)
        found = native.solve(*asked(game, state), nodes=20_000)
        tokens = native.shorten(*asked(game, state), found.moves)
        line, short = (un.replay(state, map(game.parse_move, moves)) for moves in (found.moves, tokens))
        assert (short.outcome, short.score) == (line.outcome, line.score), state.id
        assert native.shorten(*asked(game, state), tokens) == tokens, state.id
        before, after = before + len(found.moves), after + len(tokens)
    assert after < before


@pytest.mark.both_engines
def test_shortening_refuses_a_line_that_is_not_legal() -> None:
    game = un.game("agnes")
    with pytest.raises(ValueError, match='illegal move "1-1"'):
        native_module().shorten(*asked(game, game.deal(1)), ["d", "1-1"])


@pytest.mark.both_engines
def test_one_deal_is_solved_without_needless_moves_and_many_only_if_asked() -> None:
    game = un.game("agnes", "up-color-anyrun")
    if not has_twin(game):
        pytest.skip("the Python side leaves lines as they are")
    states = [game.deal(seed) for seed in range(4)]
    found, short = (list(un.solve_many(states, shorten=shorten)) for shorten in (False, True))
    single = [un.solve(state) for state in states]
    lengths = [sum(len(result.moves) for result in results) for results in (short, single, found)]
    assert lengths == sorted(lengths)
    assert lengths[1] < lengths[2]


def test_the_order_of_moves_finds_wins_sooner() -> None:
    game = un.game("agnes", "up-color-anyrun")
    states = [game.deal(seed) for seed in range(8)]
    won = [
        sum(find(state, hooks, maximize=False, nodes=150).status is Status.SOLVED for state in states)
        for hooks in (game.hooks(), replace(game.hooks(), order=None))
    ]
    assert won[0] > won[1]
