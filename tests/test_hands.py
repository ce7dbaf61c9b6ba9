"""`melds` and `best_arrangement` take a hand in any of the forms in which a program has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rummy_engine as rummy

GIN = rummy.load("gin-knock")
FIVE_HUNDRED = rummy.load("rummy-500")
HAND = "8S 8H 8D 2C KC"


@pytest.mark.parametrize("ask", [rummy.best_arrangement, rummy.melds])
def test_a_hand_is_a_set_text_or_cards(ask: Callable[..., object]) -> None:
    view = GIN.view(GIN.position(hands=[HAND, "AS"], seat=0, phase="play"), 0)
    expected = ask(HAND, GIN)
    forms: list[object] = [rummy.parse_cards(HAND), view.hand, list(view.hand), iter(view.hand), set(view.hand)]
    assert all(ask(form, GIN) == expected for form in forms)


def test_twins_in_a_list_are_two_cards() -> None:
    eight = rummy.parse_card("8S")
    assert rummy.best_arrangement([eight, eight], FIVE_HUNDRED).points == 16
    assert rummy.best_arrangement([], FIVE_HUNDRED).points == 0
    with pytest.raises(rummy.NotationError, match="no pack"):
        rummy.best_arrangement([eight, eight], GIN)


@pytest.mark.parametrize("ask", [rummy.best_arrangement, rummy.melds])
@pytest.mark.parametrize("hand", [None, 2.5, True, -1, 1 << 108, ["8S"], [8, 9], rummy.parse_card("AS")])
def test_what_is_no_hand_is_refused(ask: Callable[..., object], hand: Any) -> None:
    with pytest.raises(rummy.NotationError, match="a hand is a set of cards, text or a list of cards, not "):
        ask(hand, GIN)


@pytest.mark.parametrize("ask", [rummy.best_arrangement, rummy.melds])
@pytest.mark.parametrize("game", ["basic", None, GIN.profile])
def test_a_game_is_asked_for_where_there_is_none(ask: Callable[..., object], game: Any) -> None:
    with pytest.raises(rummy.RummyError, match="expected a game, as load"):
        ask(HAND, game)
