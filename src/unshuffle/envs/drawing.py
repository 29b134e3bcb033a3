"""A picture of a Spider table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unshuffle.envs.shown import Shown

HEIGHT, WIDTH = 480, 640


def draw(shown: Shown) -> NDArray[np.uint8]:
    """The table as an array of `(480, 640, 3)` bytes, a new one on every call."""
    raise NotImplementedError
