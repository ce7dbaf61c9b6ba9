"""What `help()` says: every field of the values that users are handed is explained."""

from __future__ import annotations

import pydoc

import pytest

import rummy_engine as rummy
from rummy_engine.described import fields_of
from rummy_engine.state import Rest

VALUES = (rummy.View, rummy.State, rummy.RoundResult, rummy.Meld, rummy.Arrangement, Rest)


@pytest.mark.parametrize("cls", VALUES)
def test_every_field_has_its_own_text_and_no_other_is_named(cls: type[tuple[object, ...]]) -> None:
    names: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]  # a class of named tuples
    assert tuple(fields_of(cls)) == names
    assert all(getattr(cls, name).__doc__ == text for name, text in fields_of(cls).items())
    assert "Alias for field" not in pydoc.plain(pydoc.render_doc(cls))


def test_a_state_explains_what_it_reads_of_its_rest() -> None:
    assert all(getattr(rummy.State, name).__doc__ == text for name, text in fields_of(Rest).items())


def test_minus_one_has_names() -> None:
    assert rummy.DEALER == rummy.NOBODY == -1
    assert "DEALER (-1)" in (rummy.State.seat.__doc__ or "") and "NOBODY (-1)" in (rummy.State.by.__doc__ or "")


def test_a_result_warns_that_its_winner_may_not_have_scored_most() -> None:
    assert "standing" in (rummy.RoundResult.winner.__doc__ or "")
