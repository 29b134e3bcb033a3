"""The Gymnasium environments. Importing this package registers them.

`import unshuffle.envs` and `gymnasium.make("unshuffle/Spider-v0")`; or all at once,
`gymnasium.make("unshuffle.envs:unshuffle/Spider-v0")`.
"""

from __future__ import annotations

try:
    import gymnasium
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ModuleNotFoundError(
        "the environments need gymnasium, which is not installed: pip install 'unshuffle[rl]'", name="gymnasium"
    ) from None


def _register(name: str, **settings: object) -> None:
    # An id that is taken stays as it is: the foreign one may belong to the program that brought it up.
    if name not in gymnasium.registry:
        gymnasium.register(name, **settings)  # type: ignore[arg-type] # as `register` says


_register(
    "unshuffle/Spider-v0",
    entry_point="unshuffle.envs.spider:SpiderEnv",
    vector_entry_point="unshuffle.envs.spider:SpiderVectorEnv",
    max_episode_steps=500,
)
_register(
    "unshuffle/Agnes-v0",
    entry_point="unshuffle.envs.agnes:AgnesEnv",
    vector_entry_point="unshuffle.envs.agnes:AgnesVectorEnv",
    max_episode_steps=500,
)
_register(
    "unshuffle/AcesUp-v0",
    entry_point="unshuffle.envs.aces_up:AcesUpEnv",
    vector_entry_point="unshuffle.envs.aces_up:AcesUpVectorEnv",
    max_episode_steps=200,
)
_register(
    "unshuffle/BelleLucie-v0",
    entry_point="unshuffle.envs.belle_lucie:BelleLucieEnv",
    vector_entry_point="unshuffle.envs.belle_lucie:BelleLucieVectorEnv",
    max_episode_steps=500,
)
_register(
    "unshuffle/Gaps-v0",
    entry_point="unshuffle.envs.gaps:GapsEnv",
    vector_entry_point="unshuffle.envs.gaps:GapsVectorEnv",
    max_episode_steps=1000,
)
for _name in ("unshuffle/SpiderSolitare-v0", "spider_solitare/SpiderSolitare-v0"):
    _register(_name, entry_point="unshuffle.envs.spider_solitare:SpiderSolitareEnv", max_episode_steps=750)
