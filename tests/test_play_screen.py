"""What a person at the terminal is shown and told, in situations set up for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rummy_engine as rummy

pytest.importorskip("typer", reason="needs the extra cli")
pytest.importorskip("rich", reason="needs the extra cli")

from tests.people import Person, last_screen, named, seated


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


FULL = named(
    hands=["8S 8H 8D KC 5H 6H", "2C 3C 9H", "AS"], pile="5D QH 7C 2S", stock="7H 2H 3D",
    table=["1: 4C 5C 6C", "2: TS TH TD + 0: TC"], known=["", "9H", ""], scores=[120, -5, 1], round=3, dealer=2,
    phase="draw", seat=0,
)  # fmt: skip


def test_the_whole_picture() -> None:
    person = Person().play(None, resume=seated(rummy.load("rummy-500"), FULL), bots=("easy", "random"))
    assert last_screen(person).splitlines() == [
        "── Rummy 500 · round 3, to 500 · Bot 2 dealt · your turn: draw ─────────────────",
        " You             6 cards  120 points",
        " Bot 1 (easy)    3 cards   -5 points",
        " Bot 2 (random)   1 card     1 point",
        "table    @0 4C 5C 6C (Bot 1)  @1 TS TH TD TC (Bot 2)",
        "pile     5D QH 7C 2S (top)  · stock 3",
        "seen     Bot 1 holds 9H",
        "hand     [8S 8H 8D]  5H 6H KC  · 21 loose",
        "moves    1) draw  2) take (2S)  3) take 2 (7C 2S)",
    ]


def test_a_deep_draw_and_what_it_owes() -> None:
    lines = ["3", "discard KC", "hint", "fits 7c", "fits JK", "layoff 7C @0", "fits 7H", "discard 2S"]
    person = Person(lines).play(None, resume=seated(rummy.load("rummy-500"), FULL))
    assert "You took 7C 2S from the pile.\n" in person.text
    assert "turn     taken: 2S 7C · to be tabled this turn: 7C\n" in person.text
    assert person.answer("discard KC") == "Not possible: the card owed must be tabled before anything is discarded."
    assert re.fullmatch(r"hint     \w+ .* \(move \d\), says the medium bot\nwanted   .*JK", person.answer("hint"))
    assert person.answer("fits 7c") == "table    @0 at the high end\nhand     7C makes no meld with it"
    assert "@0 at the low end as 3C  @0 at the high end as 7C\nhand     [JK=4H 5H 6H]" in person.answer("fits JK")
    assert "You laid off 7C on @0.\n" in person.text
    assert "[6H 7H 8H]  [5H 6H 7H 8H]\n         loose now 23, with 7H 12" in person.answer("fits 7H")
    assert "\nYou discarded 2S.\nBot 1 " in person.text


def test_a_call() -> None:
    game = rummy.load("rummy-500")
    at = named(hands=["KC 2H", "9S 3H", "QD QS"], table=["2: 4C 5C 6C"], pile="AS 7C KD", stock="2S 3S JD", seat=0,
              by=2, phase="call", dealer=0)  # fmt: skip
    person = Person(["call 2", "layoff 7C @0"]).play(None, resume=seated(game, at))
    assert "· call rummy after Bot 2? ─" in person.text
    assert "moves    1) call 2 (7C KD)  2) pass\n" in person.text
    assert "You called rummy and took 7C KD.\n" in person.text
    person = Person(["pass"]).play(None, resume=seated(game, at))
    assert "You did not call rummy.\n" in person.text


def test_floating() -> None:
    at = named(hands=["KC KD", "9S 3H 5D"], table=["1: KS KH JK"], pile="AS", stock="2S 3S JD", seat=0, phase="play")
    person = Person(["layoff KC @0"]).play(None, resume=seated(rummy.load("rummy-500-floating"), at))
    assert "layoff   1) KD @0  2) KC @0\n" in person.text
    at |= named(hands=["KC", "9S 3H 5D"], taken="")
    resumed = seated(rummy.load("rummy-500-floating"), at)
    person = Person(["layoff KC @0"]).play(None, resume=resumed, bots=("easy",))
    assert " You           0 cards  0 points\n" in person.text and "hand     empty\n" in person.text


def test_a_knock_is_laid_down_and_answered() -> None:
    game = rummy.load("gin-knock")
    hand = "4S 5S 6S 8S 8H 8D 2C 3H 9D KC 7S"
    at = named(hands=[hand, "7H 7C 7D QS QD QH 9S 2D 5C 4D"], seat=0, phase="play", pile="AS", dealer=0)
    person = Person(["discard zz", "knock 9D", "1", "done", "meld 4S 5S 6S 7S", "meld 8S 8H 8D", "done"])
    person.play(None, resume=seated(game, at))
    assert "turn     knock with 10 or less · least deadwood 14, discarding KC\n" in person.text
    assert "deadwood" in person.answer("knock 9D") and person.answer("knock 9D").startswith("Not possible: ")
    at["hands"] = [hand.replace("9D", "2H"), "7H 7C 7D QS QD QH 9S 2D 5C 4D"]
    person = Person(["knock KC", "done", "meld 4S 5S 6S 7S", "meld 8S 8H 8D", "done"])
    person.play(None, resume=seated(game, at))
    assert "You knocked with KC.\n" in person.text and "· you knocked: lay down ─" in person.text
    assert "turn     at most 10 points may be left\n" in person.text
    assert person.answer("done").startswith("Not possible: ")
    assert "You laid down [4S 5S 6S 7S] [8S 8H 8D] and kept 2H 3H 2C.\n" in person.text
    assert "\nBot 1 melded " in person.text
    assert "You knocked and had the least deadwood.\n        deadwood  points  total  hand\n" in person.text

    at = named(hands=["7H 7C 7D 9S 2D", "2H 3H"], table=["1: 4S 5S 6S 7S", "1: 8S 8H 8D"], seat=0, by=1,
              phase="respond", dealer=0, pile="KC")  # fmt: skip
    person = Person(["hint", "meld 7H 7D 7C"]).play(None, resume=seated(game, at))
    assert "· Bot 1 knocked: lay down\n" in person.text and "seen     Bot 1 holds 2H 3H\n" in person.text
    assert "meld     1) 7H 7D 7C\nmoves    2) done\n" in person.text
    assert "wanted" not in person.answer("hint")


def test_gin_and_big_gin_are_told() -> None:
    gin = rummy.load("gin-classic", {"knock.big_gin_bonus": 31, "match.rounds": 1, "knock.spread": "best"})
    hands = ["4S 5S 6S 8S 8H 8D 2C 3C 4C 5C 6C", "7H 7C 7D QS QD QH 9S 2D 5H 4D"]
    at = named(hands=hands, seat=0, phase="play", pile="AS", dealer=0)
    for line, told in (("knock", "You knocked big gin, laid down"), ("knock 2C", "You knocked gin with 2C, laid down")):
        person = Person([line]).play(None, resume=seated(gin, at))
        assert "7) (big gin: no discard)\ndiscard  8) 4S" in person.text
        assert told in person.text and "You went gin.\n" in person.text
        assert " Bot 1        20" in person.text and "  [QS QH QD]  [7H 7D 7C]  9S 5H 2D 4D\n" in person.text
        assert "You won the match.\n" in person.text


def test_the_turned_over_stock_is_known() -> None:
    game = rummy.load("rummy-2-6")
    at = named(hands=["8S 8H", "2C 3C"], stock="5D 6D 7D 8D 9D TD JD QD KD AD", pile="AH", renewals=1, seat=0)
    person = Person().play(None, resume=seated(game, at | {"stock_known": 10}))
    assert "pile     AH  · stock 10, next 5D 6D 7D 8D 9D TD JD QD …\n" in person.text


def test_large_hands_are_not_arranged() -> None:
    game = rummy.load("rummy-500")
    hand = " ".join([rank + suit for suit in "SHDC" for rank in "A23456789TJQK"][:40])
    at = named(hands=[hand, "KC"], pile="QC", stock="JC TC", seat=0, phase="play", table=["1: 3C 4C 5C"])
    person = Person(["fits 2C", "moves meld 8H", "moves meld ZZ", "hand"]).play(None, resume=seated(game, at))
    assert "too many cards to try" in person.answer("fits 2C")
    assert person.answer("moves meld ZZ") == "No legal move has all these words."
    assert person.answer("moves meld 8H").count("8H") == person.answer("moves meld 8H").count(") ") > 10
    assert person.answer("hand").startswith("by suit  AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS")
    assert "more: type moves meld" in person.text
