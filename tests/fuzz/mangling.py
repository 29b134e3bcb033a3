"""Texts as slips of the pen and broken disks leave them: noise of the pieces that ours have, and mangled sound ones."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

PIECES = (
    "AS", "TH", "10h", "KC", "XD", "[QS]", "♠", "A♠", "[", "]", "{", "}", '"', ",", " ", "\n", "\n\n", "\t", "\r\n",
    ":", "|", "-", "--", "#", "^", ">", "=", "@", "/", "+", "..", "r", "r=", "d", "x", "1x", "2-r", "1-2", "0", "-1",
    "7", "255", "2" * 30, "1e999", "nan", "inf", "Pile 1:", "Stock:", "Discards:", "Reserve:", "Bank:", "Completed:",
    "Moves:", "Redeal 1:", "Deck:", "Id:", "Fan 1:", "Foundations:", "Base:", "Deal:", "\0", "\ufeff", "\x1b[2J",
    "\ud7ff", "é", "ß", "İ", "٣", "²", "𝔸", "belle-lucie/one-deal@7", "agnes/up-suit-none@python:3#2", "spider@",
    "ms:0",
)  # fmt: skip

noise = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
"""Text of any kind."""


@st.composite
def mangled(draw: st.DrawFn, text: str, most: int = 4) -> str:
    """A text with a few slips in it; mostly of whole words, so that many of its laws still hold."""
    for _ in range(draw(st.integers(0, most))):
        text = draw(_SLIPS)(draw, text)
    return text


def _places(draw: st.DrawFn, count: int, of: int) -> list[int]:
    return [draw(st.integers(0, max(of - 1, 0))) for _ in range(count)]


def _swap_words(draw: st.DrawFn, text: str) -> str:
    words = text.split(" ")
    one, other = _places(draw, 2, len(words))
    words[one], words[other] = words[other], words[one]
    return " ".join(words)


def _drop_word(draw: st.DrawFn, text: str) -> str:
    words = text.split(" ")
    (place,) = _places(draw, 1, len(words))
    return " ".join(words[:place] + words[place + 1 :])


def _swap_lines(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    one, other = _places(draw, 2, len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def _repeat_line(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    (place,) = _places(draw, 1, len(lines))
    return "\n".join(lines[: place + 1] + lines[place:])


def _drop_line(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    (place,) = _places(draw, 1, len(lines))
    return "\n".join(lines[:place] + lines[place + 1 :])


def _insert(draw: st.DrawFn, text: str) -> str:
    (place,) = _places(draw, 1, len(text))
    return text[:place] + draw(st.sampled_from(PIECES)) + text[place:]


def _replace(draw: st.DrawFn, text: str) -> str:
    (place,) = _places(draw, 1, len(text))
    return text[:place] + draw(st.sampled_from(PIECES)) + text[place + 1 :]


def _cut(draw: st.DrawFn, text: str) -> str:
    (place,) = _places(draw, 1, len(text))
    return text[:place]


_SLIPS = st.sampled_from(
    [_swap_words, _swap_words, _swap_words, _drop_word, _swap_lines, _repeat_line, _drop_line, _insert, _replace, _cut]
)

_json = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, -1, 7, 99, 2**31, 2**63, 2**64, -(2**63), 10**40]),
    st.floats(),
    noise,
    st.sampled_from([[], {}, [[]], [None], {"": None}, [1, 2, 3, 4], ["KC^"], "KC", "play", "entry"]),
)
"""What may stand in a file of ours where something else should."""


@st.composite
def changed(draw: st.DrawFn, value: Any, most: int = 3) -> Any:
    """A JSON value with a few of its parts gone, doubled or put in place of others."""
    value = json.loads(json.dumps(value))
    for _ in range(draw(st.integers(1, most))):
        spots = list(_spots(value))
        if not spots:
            return draw(_json)
        holder, key = draw(st.sampled_from(spots))
        what = draw(st.integers(0, 5))
        if what == 0:
            del holder[key]
        elif what == 1 and isinstance(holder, list):
            holder.insert(key, holder[key])
        elif what == 2:
            other, there = draw(st.sampled_from(spots))
            if _holds(other, there) and _holds(holder, key):
                holder[key] = json.loads(json.dumps(other[there]))
        elif what == 3 and isinstance(holder[key], str):
            holder[key] = draw(mangled(holder[key], 2))
        else:
            holder[key] = draw(_json)
    return value


def _holds(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


def _spots(value: Any) -> Any:
    """Every part of a value, as what holds it and its name or place there."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _spots(value[key])


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes as a broken disk gives them back: cut, flipped, blanked."""
    spoilt = bytearray(data)
    for _ in range(draw(st.integers(1, 3))):
        if not spoilt:
            break
        place = draw(st.integers(0, len(spoilt) - 1))
        what = draw(st.integers(0, 3))
        if what == 0:
            del spoilt[place:]
        elif what == 1:
            spoilt[place] ^= 1 << draw(st.integers(0, 7))
        elif what == 2:
            length = draw(st.integers(1, 4096))
            spoilt[place : place + length] = bytes(len(spoilt[place : place + length]))
        else:
            del spoilt[place : place + draw(st.integers(1, 64))]
    return bytes(spoilt)
