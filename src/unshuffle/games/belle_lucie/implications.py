"""The order of strictness of the variants: every line of play of a stricter game is one of the looser game.

Nothing is ever compulsory but a card that must go up before a redeal, and that depends on the table alone. So rules
that add moves to a table, and take none away, make a looser game. Moves name cards, not fans, and are written alike
everywhere; the redeals of a deal are the same orders in every game.
"""

from __future__ import annotations

from dataclasses import replace

from unshuffle.games.belle_lucie.rules import Rules

_WIDER_MERCIS = ("none", "second", "play", "front", "anywhere")
"""Each kind allows what those before it allow: `second` is `play` for fewer cards and not within the own fan."""


def is_stricter(strict: Rules, loose: Rules) -> bool:
    """Return whether a move that is legal under the strict rules is legal, on the same table, under the loose ones."""
    if strict == loose or _table(strict) != _table(loose):
        return False
    return (
        strict.redeals <= loose.redeals
        and _has_fewer_mercis(strict, loose)
        and (strict.build == "suit" or loose.build == "any")
        and strict.build_up <= loose.build_up
        and strict.kings_to_spaces <= loose.kings_to_spaces
        and (strict.max_cards or 52) <= (loose.max_cards or 52)
        and strict.may_hold_back <= loose.may_hold_back
    )


def _table(rules: Rules) -> Rules:
    """Return the fields that decide how a deal and a redeal are laid out."""
    return replace(Rules(), aces_out=rules.aces_out, fan_size=rules.fan_size, fans=rules.fans)


def _has_fewer_mercis(strict: Rules, loose: Rules) -> bool:
    if strict.merci == "none":
        return True
    # A merci for the last deal comes later where there are more redeals.
    is_in_time = loose.merci_deals == "any" or (
        strict.redeals == loose.redeals and (strict.merci_deals == "last" or not strict.redeals)
    )
    return (
        is_in_time
        and strict.merci_count <= loose.merci_count
        and _WIDER_MERCIS.index(strict.merci) <= _WIDER_MERCIS.index(loose.merci)
    )
