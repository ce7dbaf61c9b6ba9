"""Perft: the counts of the deal files, and the laws that counts obey without any stored number.

RUMMY_PERFT sets the most sequences that are followed from one start (default 3 000); the files go up to 300 000.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rummy_engine as rummy
from rummy_engine.testing.perft import counts, divide, main, perft, read_starts, unique
from tests.helpers import play, renew

MOST = int(os.environ.get("RUMMY_PERFT", "3000"))
FILES = sorted((Path(__file__).parent / "data" / "perft").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts_of_the_reference(path: Path) -> None:
    for start in read_starts(path):
        assert list(start.differences(MOST)) == []
        assert len(start.sequences) == len(start.unique)
        assert sum(number <= MOST for number in start.sequences) >= 3


def test_every_shipped_variant_has_a_file() -> None:
    assert {path.stem for path in FILES} == set(rummy.variants())


# ----------------------------------------------------------------------------------------------------- laws of counts


def walked(game: rummy.Game, state: rummy.State, depth: int) -> int:
    """The number of sequences, every one of them walked."""
    if state.phase == "reshuffle":
        state = game.apply(state, " ".join(["reshuffle", *map(str, (*state.pile[:-1], *state.stock))]))
    if depth == 0:
        return 1
    return sum(walked(game, game.apply(state, action), depth - 1) for action in game.legal(state))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_meeting_sequences_are_counted_apart_and_situations_once(path: Path) -> None:
    for start in read_starts(path):
        game, state, counted = start.game, start.state, 0
        for depth, (sequences, found) in enumerate(counts(game, state, 6), start=1):
            if sequences > 600:
                break
            assert walked(game, state, depth) == sequences == perft(game, state, depth)
            assert unique(game, state, depth) == found <= sequences
            branches = divide(game, state, depth)
            assert list(branches) == [str(action) for action in game.legal(state)]
            assert sum(branches.values()) == sequences
            counted += 1
        assert counted


@pytest.mark.parametrize(("taken", "choices"), [("never", 21), ("free", 22)])
@pytest.mark.parametrize("players", [2, 3])
def test_gin_without_knocking_is_a_power(taken: str, choices: int, players: int) -> None:
    """Sequences of length 2k from the draw: the stock and 11 discards, or the pile and 10 (11 where it may go back)."""
    off = {"knock.limit": 0, "melds.set_min": 4, "melds.run_min": 13}  # ten cards can then not be gin
    table = {"players.max": 3, "deal.hand_size": 10, "deal.up_card_offer": "none", "discard.taken": taken}
    game = rummy.load("gin-classic", {**off, **table})
    for seed in range(3):
        state = renew(game, game.start(players), seed)
        for k in range(4):
            assert perft(game, state, 2 * k) == choices**k
    assert len(divide(game, play(game, state, "draw"), 1)) == 11


def test_a_round_that_has_ended_is_a_leaf() -> None:
    game = rummy.load("basic")
    state = game.position(hands=["4C", "2H"], pile="KS", stock="5S 6S", phase="play", seat=0)
    assert (perft(game, state, 1), perft(game, state, 2)) == (1, 0)
    assert (unique(game, state, 1), unique(game, state, 2)) == (1, 0)
    assert divide(game, state, 2) == {"discard 4C": 0}
    assert divide(game, state, 0) == {}


def test_a_deal_is_given_and_not_counted() -> None:
    game = rummy.load("basic")
    with pytest.raises(rummy.RummyError, match="deal first"):
        perft(game, game.start(2), 2)


def test_a_reshuffle_leaves_the_cards_as_they_lie_and_is_no_action() -> None:
    game = rummy.load("basic")
    state = game.position(hands=["4C 7S 8D", "2H 3H 9C"], pile="KS QD", stock="5S", phase="draw", seat=0)
    assert [perft(game, state, depth) for depth in range(4)] == [1, 2, 4 + 3, 4 * 2 + 3 * 2]
    due = play(game, state, "draw", "discard 5S")
    made = play(game, due, "reshuffle KS QD")
    assert game.phase(due) == "reshuffle"
    for depth in range(4):
        assert perft(game, due, depth) == perft(game, made, depth)
        assert unique(game, due, depth) == unique(game, made, depth)


# ---------------------------------------------------------------------------------------------------------- the command


def test_the_command_counts(capsys: pytest.CaptureFixture[str]) -> None:
    game = rummy.load("rummy-500")
    arguments = ["rummy-500", "--players", "3", "--depth", "3", "--seed", "7"]
    assert main(arguments) == 0
    deal, *lines = capsys.readouterr().out.splitlines()
    state = game.apply(game.start(3), deal)
    expected = [perft(game, state, depth) for depth in (1, 2, 3)]
    assert lines == [f"{depth}: {number} sequences" for depth, number in enumerate(expected, start=1)]
    assert main([*arguments, "--unique"]) == 0
    assert f"3: {expected[2]} sequences, {unique(game, state, 3)} situations" in capsys.readouterr().out
    assert main([*arguments, "--divide"]) == 0
    *_, branch, total = capsys.readouterr().out.splitlines()
    assert branch.startswith("take: ")
    assert total == f"{expected[2]} sequences of 3 actions"


@pytest.mark.parametrize("arguments", [["no-such"], ["basic", "--players", "9"], ["basic", "--depth", "-1"]])
def test_the_command_refuses_bad_input_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("perft: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "calls", "known"),
    [
        (["--depth", "20"], 1000, ["1: 2 sequences", "2: 21 sequences"]),
        (["--depth", "20", "--unique"], 1000, ["1: 2 sequences, 2 situations"]),
        (["--depth", "3", "--divide"], 15, ["draw: 22"]),
    ],
)
def test_an_interrupted_command_keeps_what_it_counted(
    options: list[str],
    calls: int,
    known: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    right, asked = rummy.Game.legal, 0

    def legal(self: rummy.Game, state: rummy.State) -> tuple[rummy.Action, ...]:
        nonlocal asked
        asked += 1
        if asked > calls:
            raise KeyboardInterrupt
        return right(self, state)

    monkeypatch.setattr(rummy.Game, "legal", legal)
    assert main(["basic", "--players", "2", *options]) == 130
    out, err = capsys.readouterr()
    assert out.startswith("deal ") and all(f"\n{each}" in out for each in known)
    assert err.startswith("perft: interrupted") and err.count("\n") == 1


def test_the_command_checks_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '''variant = "house.toml"
[[start]]
title = "two cards each"
position.hands = ["4C 9D", "2H 3H"]
position.pile = "KS"
position.stock = "5S 6S"
sequences = [2, 5, 10]
unique = [2, 5, 11]
'''
    (tmp_path / "house.toml").write_text('extends = "basic"\n[discard]\ntaken = "never"\n')
    (tmp_path / "right.toml").write_text(text.replace("11", "10"))
    (tmp_path / "wrong.toml").write_text(text)
    (tmp_path / "none.toml").write_text("variant = 3")
    assert main(["--check", str(tmp_path / "right.toml")]) == 0
    assert capsys.readouterr().out.endswith("two cards each: agrees\n")
    assert main(["--check", str(tmp_path / "right.toml"), str(tmp_path / "wrong.toml")]) == 1
    assert "length 3: 10 situations, expected 11" in capsys.readouterr().out
    for name in ("none.toml", "missing.toml"):
        assert main(["--check", str(tmp_path / name)]) == 2
        assert name in capsys.readouterr().err
