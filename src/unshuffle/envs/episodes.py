"""Episodes of a policy or of the solver as training data, described in docs/envs/episodes.md."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np

from unshuffle import __version__
from unshuffle.deals import OURS, DealId, Source
from unshuffle.envs.common import Settings
from unshuffle.envs.episode_file import EpisodeFile
from unshuffle.envs.playing import actions_of, describe_environment
from unshuffle.envs.stepped import Bytes, Mask, Stepped
from unshuffle.errors import UsageError
from unshuffle.files import whole_file
from unshuffle.game import AnyGame
from unshuffle.simulate import Policy, play_each, policy_of
from unshuffle.solve import Status, solve_many, tidied


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode. It has one observation and one mask more than steps: those of the final state."""

    deal: str
    observations: Bytes
    """One row of bytes per observation, as with `obs="flat"`."""
    masks: Mask
    actions: list[int]
    rewards: list[float]
    ended: str
    """'won', 'stuck', 'limit' (of steps), or 'gave up' where the player stopped."""
    score: int

    @property
    def is_terminated(self) -> bool:
        """Whether the game was over; otherwise the episode was truncated."""
        return self.ended in ("won", "stuck")

    def returns(self, gamma: float) -> list[float]:
        """Return the discounted return from each step on, with the discount factor `gamma`."""
        found, later = [], 0.0
        for reward in reversed(self.rewards):
            later = reward + gamma * later
            found.append(later)
        return found[::-1]


def play_episode(env: gym.Env[Any, Any], deal: str, actions: Iterable[int]) -> Episode:
    """Play these actions on this deal until the episode ends. The environment must have `obs="flat"`."""
    observation, info = env.reset(options={"deal": deal})
    observations, masks = [observation], [info["action_mask"]]
    played, rewards = [], []
    terminated = truncated = False
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        observations.append(observation)
        masks.append(info["action_mask"])
        played.append(action)
        rewards.append(float(reward))
        if terminated or truncated:
            break
    ended = ("won" if info["won"] else "stuck") if terminated else "limit" if truncated else "gave up"
    return Episode(deal, np.stack(observations), np.stack(masks), played, rewards, ended, info["score"])


def play_deals(
    game: AnyGame, policy: str | Policy, seeds: Sequence[int | Source], *, threads: int | None = None
) -> Generator[Episode | None, None, None]:
    """Yield the episodes of a policy on these deals, with the registered limit of steps: the games of `simulate`.

    None stands for a deal without a legal move.
    """
    name, arguments = describe_environment(game)
    env = gym.make(name, obs="flat", disable_env_checker=True, **arguments)
    stepped: Stepped[Any, Any] = env.get_wrapper_attr("stepped")
    with closing(_play(game, policy_of(game, policy), seeds, OURS, threads)) as lines:
        for line in lines:
            is_over = line.state.outcome is not None
            yield None if is_over else play_episode(env, line.state.id, actions_of(stepped, line.state, line.moves))


@dataclass(slots=True)
class Written:
    """The counts of written episodes and of skipped deals."""

    episodes: int = 0
    steps: int = 0
    won: int = 0
    over: int = 0
    """Deals skipped because they have no legal move."""
    unsolvable: int = 0
    """Deals skipped because the solver has proved that they cannot be won."""
    undecided: int = 0
    """Deals skipped because the solver hit a limit."""
    too_long: int = 0
    """Deals skipped because the solver's win has more steps than an episode may have."""


def write_episodes(
    path: str | Path,
    game: AnyGame,
    policy: str | Policy | None,
    seeds: Sequence[int | Source],
    *,
    generator: str = OURS,
    obs: str = "dict",
    reward: str = "delta",
    gamma: float = 0.99,
    max_episode_steps: int | None = None,
    threads: int | None = None,
    limits: Mapping[str, Any] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Written:
    """Write the episodes of a policy on these deals; with None those of the solver, who sees all cards.

    The arguments from `obs` on are those of the environment; -1 is no limit of steps. `limits` are those of
    `solve_many`. Deals without a win by the solver are skipped, and so are wins that the limit of steps would
    truncate. `progress` is called with the number of finished deals. The file is written atomically.
    """
    settings = Settings(obs=obs, reward=reward, gamma=gamma)
    name, arguments = describe_environment(game)
    # The parts are cut out of the flat form.
    made = arguments | {"obs": "flat", "reward": reward, "gamma": gamma}
    env = gym.make(name, max_episode_steps=max_episode_steps, disable_env_checker=True, **made)
    chosen = None if policy is None else policy_of(game, policy)
    origin = {
        "env_id": name,
        "kwargs": made | {"obs": obs},
        "max_episode_steps": most_steps(game) if max_episode_steps is None else max_episode_steps,
        "played_by": "solver" if chosen is None else chosen.name,
        "information": "open" if chosen is None else chosen.information,
        "limits": dict(limits or {}) if chosen is None else None,
        "deals": [str(deal_id(game, seed, generator)) for seed in (*seeds[:1], *seeds[-1:])],
        "version": __version__,
    }
    if chosen is None:
        lines = _solve(game, seeds, generator, threads, limits or {})
    else:
        lines = _play(game, chosen, seeds, generator, threads)
    written = Written()
    stepped: Stepped[Any, Any] = env.get_wrapper_attr("stepped")
    try:
        with whole_file(Path(path)) as unfinished, closing(lines), EpisodeFile(unfinished, stepped, settings) as file:
            for done, line in enumerate(lines, 1):
                episode = _make_episode(env, line, written, is_solved=chosen is None)
                if episode is not None:
                    file.add(episode)
                if progress is not None:
                    progress(done)
            file.finish(origin | asdict(written))
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
    return written


class _Line(NamedTuple):
    """A deal and the line played on it."""

    state: Any
    moves: tuple[Any, ...]
    status: Status = Status.SOLVED


def _make_episode(env: gym.Env[Any, Any], line: _Line, written: Written, *, is_solved: bool) -> Episode | None:
    """Return the episode of a line, or None if its deal is skipped; count it in `written` either way."""
    if line.state.outcome is not None:
        written.over += 1
        return None
    if line.status is not Status.SOLVED:
        written.unsolvable += line.status is Status.UNSOLVABLE
        written.undecided += not line.status.is_decided
        return None
    stepped: Stepped[Any, Any] = env.get_wrapper_attr("stepped")
    episode = play_episode(env, line.state.id, actions_of(stepped, line.state, line.moves))
    if is_solved and episode.ended == "limit":
        written.too_long += 1
        return None
    written.episodes += 1
    written.steps += len(episode.actions)
    written.won += episode.ended == "won"
    return episode


def most_steps(game: AnyGame) -> int | None:
    """Return the steps after which the registered environment of this game truncates an episode."""
    return gym.spec(describe_environment(game)[0]).max_episode_steps


def deal_id(game: AnyGame, seed: int | Source, generator: str) -> DealId:
    """Return the id of one of the deals."""
    return DealId(game.id, game.variant, seed if isinstance(seed, Source) else Source(seed, generator))


def _play(
    game: AnyGame, policy: Policy, seeds: Sequence[int | Source], generator: str, threads: int | None
) -> Generator[_Line, None, None]:
    """Yield the games of a policy as `simulate` plays them: in the engine where it can."""
    with closing(play_each(game, policy, seeds, generator=generator, threads=threads)) as records:
        for seed, record in zip(seeds, records, strict=True):
            yield _Line(game.deal(seed, generator), record.moves)


def _solve(
    game: AnyGame,
    seeds: Sequence[int | Source],
    generator: str,
    threads: int | None,
    limits: Mapping[str, Any],
) -> Generator[_Line, None, None]:
    """Yield the result of the solver on each deal, with needless moves removed from its line."""
    if isinstance(seeds, range) and generator == OURS:
        results = solve_many(game, seeds=seeds, threads=threads, **limits)
    else:
        results = solve_many((game.deal(seed, generator) for seed in seeds), threads=threads, **limits)
    for result in results:
        moves = tidied(result.state, game, result.moves) if result.status is Status.SOLVED else ()
        yield _Line(result.state, moves, result.status)
