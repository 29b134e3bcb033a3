"""A small bitmap font: capitals, digits and a few signs, five dots wide and seven high."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

WIDE, HIGH = 5, 7

_LETTERS = """
A     B     C     D     E     F     G     H     I     J     K     L     M
.###. ####. .###. ####. ##### ##### .###. #...# .###. ..### #...# #.... #...#
#...# #...# #...# #...# #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.##
#...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.#
#...# ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.#
##### #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...#
#...# #...# #...# #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...#
#...# ####. .###. ####. ##### #.... .###. #...# .###. .##.. #...# ##### #...#

N     O     P     Q     R     S     T     U     V     W     X     Y     Z
#...# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# #####
##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....#
#.#.# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#.
#..## #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#..
#...# #...# #.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#...
#...# #...# #.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #....
#...# .###. #.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. #####

0     1     2     3     4     5     6     7     8     9     -     :     /
.###. ..#.. .###. ##### ...#. ##### .###. ##### .###. .###. ..... ..... ....#
#...# .##.. #...# ...#. ..##. #.... #.... ....# #...# #...# ..... ..#.. ...#.
#..## ..#.. ....# ..#.. .#.#. ####. #.... ....# #...# #...# ..... ..#.. ...#.
#.#.# ..#.. ..##. ...#. #..#. ....# ####. ...#. .###. .#### ####. ..... ..#..
##..# ..#.. .#... ....# ##### ....# #...# ..#.. #...# ....# ..... ..#.. .#...
#...# ..#.. #.... #...# ...#. #...# #...# ..#.. #...# ....# ..... ..#.. .#...
.###. .###. ##### .###. ...#. .###. .###. ..#.. .###. .###. ..... ..... #....
"""


def _read(art: str) -> dict[str, NDArray[np.bool_]]:
    glyphs = {" ": np.zeros((HIGH, WIDE), bool)}
    for band in art.strip().split("\n\n"):
        names, *rows = band.splitlines()
        for place, name in enumerate(names.split()):
            left = place * (WIDE + 1)
            glyphs[name] = np.array([[dot == "#" for dot in row[left : left + WIDE]] for row in rows])
    return glyphs


GLYPHS = _read(_LETTERS)
_BLANK = GLYPHS[" "]
"""The glyph of characters that the font does not have."""


@cache
def lettering(text: str, scale: int = 1) -> NDArray[np.bool_]:
    """Return the dots of a line of text, with a blank column behind each glyph; `scale` enlarges the dots."""
    gap = np.zeros((HIGH, 1), bool)
    dots = np.hstack([part for letter in text.upper() for part in (GLYPHS.get(letter, _BLANK), gap)] or [gap])
    big = dots.repeat(scale, axis=0).repeat(scale, axis=1)
    big.flags.writeable = False  # cached and shared, so it must not change
    return big
