"""Spider-v0 in Gymnasium's own hands: its checker, its vector environments, its registry."""

from __future__ import annotations

import itertools
import subprocess
import sys
import warnings
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

from tests.envs.spiders import ID

pytestmark = pytest.mark.one_engine("checks the wrappers, not the tables")

FORMS = [
    {"num_suits": suits, "obs": obs, "mask_in_obs": mask}
    for suits, obs, mask in itertools.product((1, 2, 4), ("dict", "flat"), (False, True))
]
OTHERS: list[dict[str, Any]] = [
    {"deal_on_empty": False},
    {"reward": "shaped"},
    {"reward": "win"},
    {"on_invalid": "terminate"},
    {"render_mode": "ansi"},
    {"render_mode": "rgb_array"},
]


@pytest.mark.parametrize("arguments", FORMS + OTHERS, ids=str)
def test_the_checker_has_nothing_to_say(arguments: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It makes every render mode itself where it knows one: `human` prints, so that is asked for below.
        check_env(gym.make(ID, **arguments).unwrapped, skip_render_check="render_mode" not in arguments)
    written = capfd.readouterr()
    if "render_mode" not in arguments:
        assert written.out == ""
    assert written.err == ""


def test_all_ids_are_registered_with_their_limits() -> None:
    import unshuffle.envs

    gym.register_envs(unshuffle.envs)
    limits = {name: gym.spec(name).max_episode_steps for name in gym.registry if "Spider" in name}
    assert limits == {
        "unshuffle/Spider-v0": 500,
        "unshuffle/SpiderSolitare-v0": 750,
        "spider_solitare/SpiderSolitare-v0": 750,
    }


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_an_id_with_its_module_needs_no_import() -> None:
    found = run(
        "import gymnasium as gym; print(gym.make('unshuffle.envs:unshuffle/Spider-v0').reset(seed=1)[1]['deal'])"
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("spider/4-suits@")


def test_the_package_alone_does_not_import_gymnasium() -> None:
    found = run("import sys, unshuffle, unshuffle.cli.main; print('gymnasium' in sys.modules)")
    assert found.stdout == "False\n", found.stderr


def test_without_gymnasium_the_error_says_what_to_install() -> None:
    found = run("import sys; sys.modules['gymnasium'] = None; import unshuffle.envs")
    assert found.returncode == 1
    last = found.stderr.splitlines()[-1]
    assert last == (
        "ModuleNotFoundError: the environments need gymnasium, which is not installed: pip install 'unshuffle[rl]'"
    )


def test_an_id_that_is_taken_stays_as_it_is() -> None:
    found = run(
        "import gymnasium as gym\n"
        "gym.register('spider_solitare/SpiderSolitare-v0', entry_point='theirs:Env')\n"
        "import unshuffle.envs\n"
        "print(gym.spec('spider_solitare/SpiderSolitare-v0').entry_point)"
    )
    assert found.stdout == "theirs:Env\n", found.stderr
