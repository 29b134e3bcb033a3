"""What was played, by its text: a policy, or a list of rules with what is left of it after reduction."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection

from unshuffle.errors import UsageError
from unshuffle.registry import game
from unshuffle.store.seals import seal

POLICY = "policy:"
"""How the method of a run begins if a policy plays it."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A policy as it is stored."""

    policy: str
    """Its text: 'rules:2,1,100,10'."""
    reduced: str | None = None
    """Of a list of rules: without those that never move."""
    dialect: str | None = None


def find_strategy(game_id: str, policy: str) -> Strategy:
    """The policy, reduced if it is a list in the game's own strategy language."""
    try:
        reduce = game(game_id).own("reduce")
    except UsageError:  # a game that was loaded then and is not now
        return Strategy(policy)
    found = None if reduce is None else reduce(policy)
    return Strategy(policy) if found is None else Strategy(policy, *found)


def insert_strategy(db: Connection, game_id: str, policy: str | Strategy) -> int:
    """The id of a strategy, which is kept from now on; within a transaction."""
    text = policy if isinstance(policy, str) else policy.policy
    row = db.execute("SELECT id FROM strategy WHERE game = ? AND policy = ?", (game_id, text)).fetchone()
    if row is None:
        made = find_strategy(game_id, policy) if isinstance(policy, str) else policy
        row = db.execute(
            "INSERT INTO strategy (game, policy, reduced, dialect) VALUES (?, ?, ?, ?) RETURNING id",
            (game_id, made.policy, made.reduced, made.dialect),
        ).fetchone()
        seal(db, "strategy", "id = ?", row)
    return int(row[0])
