from __future__ import annotations

from typing import Any

import pytest

import unshuffle as un
from unshuffle.games.belle_lucie import Rules

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")


def test_every_wrong_field_is_named_with_what_it_may_be() -> None:
    with pytest.raises(un.UsageError) as caught:
        Rules(redeals=12, merci="please", fan_size=0)
    message = str(caught.value)
    assert "redeals=12 is not allowed; it may be 0..9" in message
    assert "merci=please is not allowed; it may be none, play, front, anywhere, second" in message
    assert "fan_size=0 is not allowed; it may be 1..13" in message


def test_a_bool_is_no_number_and_a_number_no_bool() -> None:
    with pytest.raises(un.UsageError, match="fan_size=yes is not allowed"):
        Rules(fan_size=True)
    with pytest.raises(un.UsageError, match="aces_out=1 is not allowed"):
        Rules(aces_out=1)  # type: ignore[arg-type] # what is being tested


def test_changed_rules_show_in_variant_and_id() -> None:
    game = un.game("belle-lucie", "one-deal", fan_size="4", aces_out="yes")
    assert game.variant == "one-deal+aces_out=yes+fan_size=4"
    assert game.deal(7).id == "belle-lucie/one-deal+aces_out=yes+fan_size=4@7"
    assert un.game("belle-lucie", game.variant).rules == game.rules
    assert un.game("belle-lucie", fan_size=3, aces_out=False).variant == "one-deal"
    assert un.game("belle-lucie", redeals=2, merci="play").variant == "merci"
    assert un.game("belle-lucie", "merci", merci="none").variant == "classic"
    assert un.game("belle-lucie", max_cards=999_999_999).variant == "one-deal+max_cards=999999999"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"fan_sise": 4}, "did you mean 'fan_size'?"),
        ({"fan_size": "many"}, "fan_size=many is not a whole number 0..999999999"),
        ({"fan_size": "-1"}, "fan_size=-1 is not a whole number 0..999999999"),
        ({"aces_out": "perhaps"}, "aces_out=perhaps is neither yes nor no"),
        ({"fan_size": "99"}, "fan_size=99 is not allowed; it may be 1..13"),
        ({"max_cards": "1000000000"}, "max_cards=1000000000 is not a whole number 0..999999999"),
        ({"max_cards": -1}, "max_cards=-1 is not allowed; it may be 0..999999999"),
        ({"max_cards": 10**9}, "max_cards=1000000000 is not allowed; it may be 0..999999999"),
    ],
)
def test_a_wrong_change_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(un.UsageError) as caught:
        un.game("belle-lucie", **changes)
    assert words in str(caught.value)


def test_unknown_names_get_the_nearest_known_one() -> None:
    with pytest.raises(un.UsageError, match="did you mean 'belle-lucie'"):
        un.game("bellelucie")
    with pytest.raises(un.UsageError, match="did you mean 'one-deal'"):
        un.game("belle-lucie", "one-deel")
    with pytest.raises(un.UsageError, match="is not a rule; expected KEY=VALUE"):
        un.game("belle-lucie", "one-deal+fan_size")
