"""`rummy play`: scripted people play at every table, mistype, take back, save, leave, and never see a hidden card."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.actions import Action
from rummy_engine.knowledge.view import View
from rummy_engine.policy import Random
from tests.knowledge import reached, swap_hidden, tables
from tests.matches import SEATINGS

pytest.importorskip("typer", reason="needs the extra cli")
pytest.importorskip("rich", reason="needs the extra cli")

from rummy_engine.terminal.play import parse_overrides
from rummy_engine.terminal.screen import board
from rummy_engine.terminal.session import AT_THE_END, NEXT_ROUND, PROMPT, SAVE_FIRST
from rummy_engine.terminal.wording import Seats
from tests.people import WIDTH, Follower, Person, Roller, last_screen, named, seated

ROOT = Path(__file__).resolve().parent.parent
SHORT = {"match.rounds": 2, "match.tie": "share", "ending.max_turns": 30}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# ------------------------------------------------------------------------------------------------------- whole matches


@pytest.mark.parametrize(("variant", "players"), SEATINGS)
def test_a_match_at_every_table(variant: str, players: int) -> None:
    person = Roller(players).play(
        variant, players, seed=players, seat=players - 1, record_path=Path("m.json"), overrides=SHORT
    )
    assert person.code == 0 and person.asked.count(NEXT_ROUND) == 1
    assert all(len(line) <= WIDTH for line in person.text.splitlines() if not line.startswith(">"))
    record = rummy.Record.from_json(Path("m.json").read_text())
    state = record.replay()
    assert record.game.is_over(state)
    for seat, (score, place) in enumerate(zip(state.scores, record.game.places(state), strict=True)):
        name = "You" if seat == players - 1 else rf"Bot {seat} \(medium\)"
        assert re.search(rf"^ +{place}\. +{name} +{score} points?$", person.text, re.MULTILINE)
    for number in (1, 2):
        assert f"── round {number} is over ──" in person.text


@pytest.mark.parametrize("variant", rummy.variants())
def test_hints_lead_through_a_whole_match_on_a_narrow_screen(variant: str) -> None:
    person = Follower(width=60).play(variant, bots=("easy",), seed=3)
    assert person.code == 0 and "the match is over" in person.text and "round 3 is over" in person.text
    assert all(len(line) <= 60 for line in person.text.splitlines() if not line.startswith(">"))
    assert "Not possible" not in person.text and "There is no move" not in person.text


def test_it_fits_a_terminal_of_24_lines() -> None:
    for variant, players, seed in (("rummy-500", 2, 5), ("rummy-500", 8, 1), ("gin-knock", 4, 2), ("rummy-2-6", 6, 3)):
        person = Roller(seed).play(variant, players, bots=("easy",), seed=seed, overrides=SHORT)
        pictures = [text.partition("\n> ")[0] for text in person.text.split("── ") if " dealt · " in text]
        assert len(pictures) > 10 and max(len(picture.splitlines()) for picture in pictures) < 24


def test_a_narrow_and_a_wide_screen() -> None:
    tables = (60, "rummy-500", 8), (60, "rummy-2-6", 6), (50, "basic", 3), (120, "gin-knock", 4)
    for width, variant, players in tables:
        person = Roller(1, width=width).play(variant, players, bots=("easy",), seed=1, overrides=SHORT)
        lines = [line for line in person.text.splitlines() if not line.startswith(">")]
        assert person.code == 0 and max(map(len, lines)) <= width
        pictures = [text.partition("\n> ")[0] for text in person.text.split("── ") if "your turn: " in text]
        assert pictures and all(len(re.findall(r" (?:you|Bot \d) dealt\b", picture)) == 1 for picture in pictures)
        below = [bool(re.search(r"^turn     .* dealt", picture, re.MULTILINE)) for picture in pictures]
        assert not any(below) if width == 120 else any(below) if width == 50 else True
    assert max(map(len, (SAVE_FIRST, NEXT_ROUND, AT_THE_END, PROMPT))) < 60


def test_the_same_seed_is_the_same_match() -> None:
    first, second = (Roller(1).play("rummy-500", 4, bots=("easy", "random"), seed=9, overrides=SHORT) for _ in "ab")
    assert first.text == second.text
    assert Roller(1).play("rummy-500", 4, bots=("easy", "random"), seed=10, overrides=SHORT).text != first.text


# ------------------------------------------------------------------------------------------------ what may be typed


def test_refusals_and_slips() -> None:
    said = {
        "discard 9H": "Not possible: 9H is not in the hand.",
        "meld 8S 8H KC": "Not possible: 8S 8H KC is no meld in this variant: sets have 3 to 4 cards",
        "layoff KC @0": "Not possible: there is no meld @0: ",
        "discard 2S": "Not possible: 2S was just taken from the pile.",
        "draw": "Not possible: 'draw' is not possible in phase 'play', only 'meld', 'layoff' or 'discard'.",
        "knock KC": "Not possible: there is no 'knock' in this variant.",
        "discard KX": "Not understood: expected a card such as ",
        "discard": "Not understood: expected a card such as ",
        "layoff KC 0": "Not understood: expected '@' and the number of a meld",
        "disard KC": "'disard KC' is no move and no command (did you mean 'discard'?). ",
        "discrad": "'discrad' is no move and no command (did you mean 'discard'?). ",
        "0": "There is no move 0: they are numbered from 1 to ",
        "77": "There is no move 77: ",
        "9" * 50: "'9999999999999999999999999999999999999...' is no move and no command. ",
        "deal AS": "'deal AS' is no move",
        "\x1b[2J": "'\\x1b[2J' is no move",
        "fits": "Name a card, as in fits 8H.",
        "fits 8X": "Not understood: '8X' is no card",
        "undo": "You have made no moves to take back.",
        "undo x": "undo takes back your last move",
        "undo 0": "undo takes back your last move",
        "save /nowhere/at/all.json": "Not saved: cannot write '/nowhere/at/all.json': ",
        "save .": "Not saved: cannot write ",
        "save a\0b": "Not saved: cannot write ",
        "help": "A move is its number in the list, or its text, as in discard KC; its words are ",
        "moves discard": "discard  2) 8S  3) 8H  4) 8D  5) KC",
    }
    at = named(hands=["8S 8H 8D KC 2S", "2C 3C"], pile="5D", taken="2S", phase="play", seat=0)
    path = seated(rummy.load("basic"), at)
    person = Person(said).play(None, resume=path)
    assert person.code == 0
    for line, start in said.items():
        assert person.answer(line).replace("\n  ", " ").startswith(start), line
    assert person.text.count("── ") == 1  # nothing has changed


LINES = ("1", "2", "undo", "hint", "", "moves", "discard KC", "log", "hand", "fits 9C", "quit", "c")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=12) | st.sampled_from(LINES)))
def test_whatever_is_typed(lines: list[str]) -> None:
    harmless = [line for line in lines if not line.strip().lower().startswith(("save", "^c"))]
    person = Person(harmless).play("rummy-500", 3, seed=2)
    assert person.code == 0


def test_all_commands_at_the_table_and_away_from_it() -> None:
    commands = ["help", "hint", "fits 8H", "hand", "moves", "table", "log", "", "?", "HINT"]
    person = Person([*commands, "q"]).play("gin-knock", seed=1)
    assert person.code == 0 and len(person.asked) == len(commands) + 1
    assert person.text.count("── ") == 3  # once by itself, for table and for Enter
    assert "call" not in person.answer("help").split("Commands")[0]

    class Pausing(Roller):
        def type(self, prompt: str, fresh: str) -> str:
            if prompt == NEXT_ROUND:
                return next(self.lines, "")
            return super().type(prompt, fresh)

    person = Pausing(4)
    person.lines = iter(["hint", "1", "log", "help", "nonsense"])
    person.play("basic", seed=4, overrides=SHORT)
    assert person.code == 0
    assert person.answer("hint").startswith("That can wait: press Enter to go on.")
    assert "Round 1: " in person.answer("log")
    assert person.answer("nonsense").startswith("'nonsense' is no move and no command")


# ------------------------------------------------------------------------------------------------ undo, save, leave


@pytest.mark.parametrize("variant", ["basic", "rummy-500", "gin-knock"])
def test_undo_leads_back_to_the_same_picture(variant: str) -> None:
    moves = ["1", "1", "1", "1", "1", "1"]
    plain = Person(moves).play(variant, 3, seed=6)
    lines = ["1", "undo", "1", "1", "1", "undo 2", "1", "1", "1", "1", "1", "undo 9", "log"]
    undone = Person(lines).play(variant, 3, seed=6)
    assert last_screen(plain) == last_screen(undone)
    assert undone.text.count("Taken back: ") == 2 and "You have made 6 moves to take back." in undone.text
    assert undone.answer("log").startswith("Round 1: ")


def test_undo_across_the_end_of_a_round_and_of_the_match() -> None:
    game = rummy.load("basic", {"match.rounds": 2})
    at = named(hands=["8S 8H 8D", "2C 3C"], pile="5D", phase="play", seat=0, dealer=0)
    person = Person(["meld 8S 8H 8D", "undo", "meld 8S 8H 8D", ""]).play(None, resume=seated(game, at))
    assert person.text.count("── round 1 is over ──") == 2 and person.text.count("Taken back: meld 8S 8H 8D") == 1
    assert person.text.count("The next round is dealt by Bot 1.") == 2
    game = rummy.load("basic", {"match.rounds": 1})
    person = Person(["meld 8S 8H 8D", "undo", "discard 8S"]).play(None, resume=seated(game, at))
    assert person.text.count("You won the match.") == 1 and "You discarded 8S.\nBot 1 " in person.text


@pytest.mark.parametrize("variant", rummy.variants())
def test_a_saved_match_goes_on_as_if_it_had_not_been_left(variant: str) -> None:
    whole = Roller(5).play(variant, bots=("random",), seed=8, overrides=SHORT, record_path=Path("whole.json"))
    first = Roller(5, most=9).play(variant, bots=("random",), seed=8, overrides=SHORT)
    path = Path(f"{variant}-match.json")
    assert first.code == 0 and f"Saved in {path}." in first.text
    assert f"rummy play --resume {path} --seat 0 --bots random" in first.text
    second = Roller(5)
    second.rng = first.rng
    second.play(None, resume=path, bots=("random",))
    assert "The match goes on where it was left" in second.text
    assert last_screen(first) in second.text
    assert path.read_text() == Path("whole.json").read_text() and whole.code == second.code == 0


def test_a_saved_match_that_is_over() -> None:
    Roller(5).play("basic", seed=8, overrides=SHORT, record_path=Path("m.json"))
    person = Person(["log", "undo", "undo", "1"]).play(None, resume=Path("m.json"))
    assert person.text.index("── round 2 is over ──") < person.text.index("── the match is over ──")
    assert person.text.count("Taken back: ") == 2


def test_leaving() -> None:
    assert Person().play("basic", seed=1).text.count("Saved") == 0  # nothing was played
    assert list(Path().iterdir()) == []
    person = Person(["draw"]).play("basic", seed=1)
    assert person.code == 0
    assert "\nSaved in basic-match.json.\nTo go on: rummy play --resume basic-match.json" in person.text
    person = Person(["draw", "quit", "n"]).play("basic", seed=1)
    assert person.code == 0 and "Saved" not in person.text and person.asked[-1] == SAVE_FIRST
    person = Person(["draw", "^C", "no wait", "table", "^C", ""]).play("basic", seed=1)
    assert person.code == 0 and person.text.count("Saved in basic-match-2.json.") == 1
    person = Person(["draw", "^C", "^C"]).play("basic", seed=1)
    assert person.code == 0 and "Saved in basic-match-3.json." in person.text
    person = Person(["save mine.json", "draw", "save", "quit"]).play("basic", seed=1)
    assert person.code == 0 and person.text.count("Saved in mine.json.") == 2
    saved = Path("mine.json").read_text()
    person = Person(["save mine.json", "n", "save mine.json", "y", "quit"]).play("basic", seed=2)
    assert person.text.count("Saved in mine.json.") == 1 and Path("mine.json").read_text() != saved
    assert not list(Path().glob("*.part"))


@pytest.mark.parametrize("lines", [[], ["^C"], ["quit"], ["draw"], ["draw", "^C"], ["draw", "quit"]])
def test_a_match_that_has_a_file_is_saved_on_leaving(lines: list[str]) -> None:
    """Also one in which nothing was played: what is said to go on with can be gone on with."""
    person = Person(lines).play("basic", seed=1, record_path=Path("mine.json"))
    assert person.code == 0 and SAVE_FIRST not in person.asked
    assert "\nSaved in mine.json.\nTo go on: rummy play --resume mine.json" in person.text
    again = Person().play(None, resume=Path("mine.json"))
    assert again.code == 0 and "The match goes on where it was left" in again.text
    assert last_screen(again) in person.text


def test_a_match_that_cannot_be_saved_is_said_and_not_left_by_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path("gone")
    folder.mkdir()

    class Remover(Person):
        def type(self, prompt: str, fresh: str) -> str:
            if folder.exists():
                folder.rmdir()
            return super().type(prompt, fresh)

    person = Remover(["draw", "quit", "y"]).play("basic", seed=1, record_path=folder / "m.json")
    assert person.code == 1 and person.text.count("Not saved: cannot write") == 3
    assert person.asked[-3:] == [PROMPT, SAVE_FIRST, PROMPT]


def test_nothing_is_written_over_and_nothing_wrong_is_begun() -> None:
    Path("old.json").write_text("{}")
    for complaint, options in {
        "old.json' exists already": named(variant="basic", record_path=Path("old.json")),
        "cannot write": named(variant="basic", record_path=Path("no/where.json")),
        "name a variant": named(variant=None),
        "did you mean 'basic'": named(variant="basik"),
        "basic is for 2 to 4 players": named(variant="basic", players=7),
        "there is no seat 2": named(variant="basic", seat=2),
        "there is no seat -1": named(variant="basic", seat=-1),
        "a person plays 1 to 1 bots, not 2": named(variant="basic", bots=("easy", "easy")),
        "there is no bot 'esy'": named(variant="basic", bots=("esy",)),
        "there is no such dial": named(variant="basic", overrides={"match.round": 1}),
        "old.json: damaged record": named(variant=None, resume=Path("old.json")),
        "cannot read 'none.json'": named(variant=None, resume=Path("none.json")),
        "are those it was begun with": named(variant=None, resume=Path("old.json"), seed=1),
        "a seed is": named(variant="basic", seed=-1),
    }.items():
        person = Person()
        with pytest.raises(rummy.RummyError, match=re.escape(complaint)):
            person.play(**options)
        assert person.text == ""
    assert [path.name for path in Path().iterdir()] == ["old.json"]
    Person(["draw"]).play("basic", seed=1)
    with pytest.raises(rummy.RummyError, match="holds a match of 'basic', not of 'gin-knock'"):
        Person().play("gin-knock", resume=Path("basic-match.json"))


def test_a_bot_of_your_own_and_one_that_fails() -> None:
    def last(view: View, legal: tuple[Action, ...], rng: Random) -> Action:
        return legal[-1]

    def fails(view: View, legal: tuple[Action, ...], rng: Random) -> Action:
        raise ZeroDivisionError("division by zero")

    assert "against Bot 1 (last)" in Person(["1", "1"]).play("basic", bots=(last,), seed=1).text
    person = Person(["1", "discard QC", *map(str, range(1, 12))])
    with pytest.raises(rummy.MatchError, match="bot 'fails' raised ZeroDivisionError: division by zero"):
        person.play("basic", bots=(fails,), seed=1)
    assert "Saved in " in person.text and "── " not in person.text.split("Saved in ")[1]


# ------------------------------------------------------------------------------------------------ the command


def command(*words: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`rummy play` in a process of its own, reading what is typed from a pipe."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    line = [sys.executable, "-m", "rummy_engine", "play", *words]
    return subprocess.run(line, input=typed, capture_output=True, timeout=60, env=environment)


def test_the_command() -> None:
    options = ["--players=3", "--bots=easy, random", "--seed=1", "--seat=2", "--overrides=match.rounds=1"]
    done = command("basic", *options, "--record=kept.json", typed=b"1\n\xff\nwhat\n")
    out = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "You play at seat 2 against Bot 0 (easy) and Bot 1 (random)." in out
    assert "\n> 1\n" in out and "is no move and no command" in out and "\x1b" not in out
    assert "Saved in kept.json.\nTo go on: rummy play --resume kept.json --seat 2 --bots easy,random\n" in out
    assert rummy.Record.from_json(Path("kept.json").read_text()).profile["match"]["rounds"] == 1
    again = command("--resume", "kept.json", "--seat", "2", "--bots", "easy,random")
    assert again.returncode == 0 and b"round 1 of 1" in again.stdout
    for words in ("basic --overrides x.y", "basic --record kept.json", "", "basic --seat x", "--resume no.json"):
        wrong = command(*words.split())
        assert (wrong.returncode, wrong.stdout) == (2, b"") and wrong.stderr.count(b"\n") == 1, words


def test_the_command_takes_bots_of_your_own() -> None:
    Path("mine.py").write_text("def hasty(view, legal, rng):\n    return legal[-1]\n")
    done = command("basic", "--bots=mine:hasty", "--seed=1", typed=b"1\n1\n")
    assert (done.returncode, done.stderr) == (0, b"") and b"against Bot 1 (mine:hasty)" in done.stdout
    assert b"--bots mine:hasty\n" in done.stdout
    wrong = command("basic", "--bots=mine:slow")
    assert wrong.returncode == 2 and wrong.stderr.startswith(b"rummy: there is no bot 'mine:slow'")


def test_overrides_are_read_as_in_a_profile() -> None:
    assert parse_overrides(["knock.limit=none", "wilds.swap = true"]) == {"knock.limit": "none", "wilds.swap": True}
    for text in ("match.rounds", "match.rounds=", "=1", " = ", "match.rounds=1,2"):
        with pytest.raises(rummy.RummyError, match="an override is written DIAL=VALUE"):
            parse_overrides([text])


# ------------------------------------------------------------------------------------------------ what is never shown


@pytest.mark.parametrize(("number", "table"), list(enumerate(tables())))
def test_hidden_cards_change_nothing_that_is_shown(number: int, table: tuple[rummy.Game, int]) -> None:
    game, players = table
    rng = random.Random(number)
    for steps in (1, 4, 9, 20, 41):
        state = reached(game, players, number, steps)
        if state.seat == rummy.DEALER:
            continue
        texts = []
        for each in (state, swap_hidden(state, state.seat, rng)):
            view = game.view(each, state.seat)
            seats = Seats(state.seat, ("easy",) * players)
            texts.append(board(game, view, seats, WIDTH))
            person = Person(["hint", "fits 8H", "fits JK", "moves", "hand", "log", "deal AS", "call 3", "take 9"])
            Path("at.json").write_text(rummy.Record.of(game, each, (), 1).to_json())
            person.play(None, resume=Path("at.json"), seat=state.seat)
            texts.append(person.text.splitlines())
        assert texts[:2] == texts[2:]


def test_a_session_asks_its_match_for_nothing_but_views_and_events() -> None:
    source = (ROOT / "rummy_engine" / "terminal" / "session.py").read_text(encoding="utf-8")
    asked = set(re.findall(r"_match\.(\w+)", source))
    assert asked == {"view", "events", "play", "undo", "game", "seat", "over", "scores", "seed"}
    for path in (ROOT / "rummy_engine" / "terminal").glob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert path.name == "saving.py" or not re.search(r"\.(state|states|replay|sample)\b(?! import)", source)
