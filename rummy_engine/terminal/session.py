"""One match at the table: shows it to a person, asks for moves, lets the bots answer, and tells what they did."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from random import Random
from typing import NoReturn, TypeAlias

from rich.console import Console

from rummy_engine.actions import Action
from rummy_engine.bots import make_bot
from rummy_engine.cards import parse_card
from rummy_engine.errors import IllegalActionError, MatchError, NotationError, RummyError
from rummy_engine.hints import printable
from rummy_engine.knowledge.events import Dealt, Event, MatchEnded, RoundEnded
from rummy_engine.knowledge.view import View
from rummy_engine.match import Match
from rummy_engine.policy import Policy
from rummy_engine.terminal.advice import fits, hint
from rummy_engine.terminal.layout import columns, painted, wrapped
from rummy_engine.terminal.moves import Menu
from rummy_engine.terminal.reading import COMMANDS, LONGEST_NUMBER, VERBS, read_line
from rummy_engine.terminal.saving import free_path, save
from rummy_engine.terminal.screen import board, by_suit_and_rank, match_summary, round_summary
from rummy_engine.terminal.wording import Seats, listed, narrate

Ask: TypeAlias = Callable[[str], str]
"""Shows a prompt and returns a line without its end, as `input` does; raises EOFError when there are no more."""

ADVISER = "medium"
"""The bot that gives the hints."""
PROMPT = "> "
NEXT_ROUND = "Enter for the next round > "
AT_THE_END = "Enter to leave (or: save, undo, log) > "
SAVE_FIRST = "Save it? Enter: yes, n: no, else: back to the table > "
UNSAVED = 1
"""The exit code when the match should have been saved and could not be."""


class _Leaving(Exception):
    """The person leaves the table; `code` is that of the program."""

    def __init__(self, code: int) -> None:
        self.code = code


class Session:
    """A person at one seat of a match. All that is shown comes from the views and events of that seat.

    `bots`: what plays on each seat (the person's own is not used); `path`: where the match is saved after each round
    and on leaving, if anywhere; `decisions`: of a match that goes on, how often the person has moved in it.
    """

    def __init__(
        self,
        match: Match,
        seats: Seats,
        bots: Sequence[Policy],
        console: Console,
        ask: Ask,
        path: Path | None = None,
        decisions: int | None = None,
    ) -> None:
        self._match = match
        self._seats = seats
        self._bots = bots
        self._console = console
        self._ask = ask
        self._path = path
        self._goes_on = decisions is not None
        self._decisions = decisions or 0
        """How many moves can be taken back."""
        self._adviser = make_bot(ADVISER, match.game)
        self._told = self._known_before() if self._goes_on else 0
        """How many events the person has been told of."""
        self._unsaved = path is not None and not self._goes_on
        """Whether there is something to save: a new match that has a file, or moves since it was last saved."""

    def run(self) -> int:
        """Plays until the person leaves; returns the exit code.

        Raises MatchError when a bot breaks its contract, after saving the match.
        """
        self._welcome()
        while True:
            try:
                self._go_on()
            except KeyboardInterrupt:
                self._console.print()
                try:
                    self._leave()
                except _Leaving as leaving:
                    return leaving.code
            except _Leaving as leaving:
                return leaving.code

    def _go_on(self) -> NoReturn:
        while True:
            self._tell()
            if self._match.over:
                if not self._question(AT_THE_END, None):
                    raise _Leaving(0)
            elif self._match.seat == self._seats.me:
                view = self._view()
                self._show(board(self._match.game, view, self._seats, self._width))
                self._question(PROMPT, view)
            else:
                with self._waiting():
                    self._let_bots_move()

    # ------------------------------------------------------------------------------------------------ what is shown

    @property
    def _width(self) -> int:
        return self._console.width

    def _view(self) -> View:
        return self._match.view(self._seats.me)

    def _events(self, since: int = 0) -> tuple[Event, ...]:
        return self._match.events(self._seats.me, since)

    def _waiting(self) -> AbstractContextManager[object]:
        """Shows on a terminal whose move is awaited: some bots think for a while."""
        if not self._console.is_terminal:
            return nullcontext()
        return self._console.status(f"{self._seats.title(self._match.seat)} to move")

    def _known_before(self) -> int:
        """How many events of a match that goes on need not be told: all, but for the end of one that is over."""
        events = self._events()
        ends = [at for at, event in enumerate(events) if isinstance(event, RoundEnded)]
        return ends[-1] if self._match.over and ends else len(events)

    def _show(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._console.print(painted(line), soft_wrap=True)

    def _say(self, *sentences: str) -> None:
        for sentence in sentences:
            self._show(wrapped(sentence, self._width))

    def _welcome(self) -> None:
        meta = self._match.game.profile.meta
        others = [self._seats.title(seat) for seat in range(len(self._bots)) if seat != self._seats.me]
        self._say(
            f"{printable(meta.title)}: {printable(meta.summary)}",
            f"You play at seat {self._seats.me} against {listed(others)}. Type help for the commands.",
        )
        if self._match.game.profile.match.best == "lowest":
            self._say("Points are penalties: the fewest win.")
        if self._goes_on:
            self._say("The match goes on where it was left; log tells this round so far.")

    def _tell(self) -> None:
        """Tells what happened since, with the result of each round that ended, after which it waits."""
        new = self._events(self._told)
        waiting: list[Event] = []
        for event in new:
            self._told += 1
            if isinstance(event, RoundEnded):
                self._say(*narrate(waiting, self._seats))
                waiting = []
                self._show(round_summary(self._match.game, event, self._seats, self._width))
                self._save_quietly()
                if not self._match.over:
                    self._say(f"The next round is dealt by {self._seats.within(self._view().dealer)}.")
                    if self._question(NEXT_ROUND, None):
                        return
            elif isinstance(event, MatchEnded):
                self._show(match_summary(event, self._match.scores, self._seats, self._width))
            else:
                waiting.append(event)
        self._say(*narrate(waiting, self._seats))

    # ------------------------------------------------------------------------------------------------ who moves

    def _let_bots_move(self) -> None:
        """One bot moves until somebody else is to act: all that is one sentence."""
        seat = self._match.seat
        while self._match.seat == seat:
            view = self._match.view(seat)
            # From the seed and the place in the match, so that undoing or resuming changes nothing that a bot does.
            rng = Random(f"{self._match.seed} bot {len(self._events())}")
            try:
                self._match.play(self._bots[seat](view, view.legal, rng), seat)
            except Exception as error:
                self._save_or_say()
                fault = f"raised {type(error).__name__}" if not isinstance(error, RummyError) else "broke the rules"
                raise MatchError(f"bot {self._seats.bots[seat]!r:.60} {fault}: {error!s:.200}") from error

    def _read(self, prompt: str) -> str:
        try:
            return self._ask(prompt)
        except EOFError:
            self._console.print()
            if self._match.over or not self._unsaved:
                self._say_how_to_go_on()
                raise _Leaving(0) from None
            raise _Leaving(0 if self._save_or_say() else UNSAVED) from None

    def _question(self, prompt: str, view: View | None) -> bool:
        """Asks until the match has changed (True) or, away from the table (view None), Enter is pressed (False)."""
        answers = self._answers() if view is None else {**self._answers(), **self._answers_at_table(view)}
        while True:
            typed = read_line(self._read(prompt))
            if typed.kind == "unknown":
                self._say(f"{typed.text}. Type help for the commands.")
            elif typed.kind in answers:
                if answers[typed.kind](typed.text):
                    return True
            elif typed.kind == "table":
                return False
            else:
                self._say("That can wait: press Enter to go on.")

    def _answers(self) -> Mapping[str, Callable[[str], bool | None]]:
        """Per command that can always be given: what it does, and whether that changed the match."""
        return {
            "help": self._help,
            "log": self._log,
            "undo": self._undo,
            "save": self._save,
            "quit": lambda text: self._leave(),
        }

    def _answers_at_table(self, view: View) -> Mapping[str, Callable[[str], bool | None]]:
        game, width = self._match.game, self._width
        return {
            "table": lambda text: self._show(board(game, view, self._seats, width)),
            "hand": lambda text: self._show(by_suit_and_rank(view.hand, width)),
            "moves": lambda text: self._list_moves(view, text.split()),
            "hint": lambda text: self._hint(view),
            "fits": lambda text: self._fits(view, text),
            "number": lambda text: self._choose(view, int(text)),
            "move": self._play,
        }

    # ------------------------------------------------------------------------------------------------ moves

    def _choose(self, view: View, number: int) -> bool:
        moves = Menu(view).moves
        if not 1 <= number <= len(moves):
            self._say(f"There is no move {number}: they are numbered from 1 to {len(moves)}.")
            return False
        return self._play(moves[number - 1])

    def _play(self, move: Action | str) -> bool:
        try:
            self._match.play(move, self._seats.me)
        except IllegalActionError as error:
            self._say(f"Not possible: {error.refusal.text}.")
        except NotationError as error:
            self._say(f"Not understood: {printable(str(error))}.")
        else:
            self._decisions += 1
            self._unsaved = True
            return True
        return False

    def _undo(self, text: str) -> bool:
        count = int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else 1 if not text else 0
        if not count:
            self._say("undo takes back your last move, undo 3 your last three.")
        elif count > self._decisions:
            self._say(f"You have made {self._decisions or 'no'} move{'s' * (self._decisions != 1)} to take back.")
        else:
            for _ in range(count):
                (undone,) = self._match.undo()
                while self._match.seat != self._seats.me:
                    (undone,) = self._match.undo()
            self._decisions -= count
            self._unsaved = True
            self._told = len(self._events())
            self._say(f"Taken back: {undone}, and what followed.")
            return True
        return False

    # ------------------------------------------------------------------------------------------------ questions

    def _help(self, text: str) -> None:
        in_game = self._match.game.rules(len(self._bots)).in_game
        words = ", ".join(word for word, kind in VERBS.items() if kind in in_game)
        self._say(f"A move is its number in the list, or its text, as in discard KC; its words are {words}.")
        self._say("Commands:")
        self._show(columns([["", usage, says] for usage, says in COMMANDS.values()], left=(0, 1, 2)))

    def _log(self, text: str) -> None:
        events = self._events()[: self._told]
        start = max((at for at, event in enumerate(events) if isinstance(event, Dealt)), default=0)
        self._say(*narrate(events[start:], self._seats))

    def _list_moves(self, view: View, words: Sequence[str]) -> None:
        self._show(list(Menu(view).lines(self._width, words, whole=True)) or ["No legal move has all these words."])

    def _hint(self, view: View) -> None:
        move = self._adviser(view, view.legal, Random(f"{self._match.seed} hint {len(self._events())}"))
        self._show(hint(self._match.game, view, move, ADVISER, self._width))

    def _fits(self, view: View, text: str) -> None:
        try:
            card = parse_card(text)
        except NotationError as error:
            self._say(f"Not understood: {printable(str(error))}." if text else "Name a card, as in fits 8H.")
        else:
            self._show(fits(self._match.game, view, card, self._width))

    # ------------------------------------------------------------------------------------------------ saving, leaving

    def _save(self, text: str) -> None:
        """Saves in the file named, else in the one used before, else in a new one."""
        path = Path(text) if text else self._path or free_path(self._match.game.profile.meta.name)
        try:
            if text and path != self._path and path.is_file():
                answer = self._read(f"{printable(text)} exists already. Overwrite it? (y/n) > ")
                if answer.strip().lower() not in ("y", "yes"):
                    self._say("Not saved.")
                    return
            save(self._match, path)
        except (RummyError, OSError, ValueError) as error:
            self._say(f"Not saved: {printable(str(error))}.")
        else:
            self._path, self._unsaved = path, False
            self._say(f"Saved in {printable(str(path))}.")

    def _save_quietly(self) -> None:
        """After a round: saves where the match is kept, if that is anywhere."""
        if self._path is not None:
            try:
                save(self._match, self._path)
            except RummyError as error:
                self._say(f"Not saved: {error}.")
            else:
                self._unsaved = False

    def _save_or_say(self) -> bool:
        """Saves the match and says how to go on with it; returns whether that worked."""
        self._unsaved = True
        self._save("")
        if not self._unsaved:
            self._say_how_to_go_on()
        return not self._unsaved

    def _say_how_to_go_on(self) -> None:
        if self._path is None or self._match.over:
            return
        words = ["rummy", "play", "--resume", str(self._path), "--seat", str(self._seats.me)]
        others = [bot for seat, bot in enumerate(self._seats.bots) if seat != self._seats.me]
        words += ["--bots", ",".join(others if len(set(others)) > 1 else others[:1])]
        self._console.print(f"To go on: {printable(shlex.join(words))}", soft_wrap=True, markup=False, highlight=False)

    def _leave(self) -> None:
        """Leaves the table, unless the person thinks better of it when asked whether to save where no file is named."""
        if not self._unsaved or self._match.over:
            self._say_how_to_go_on()
            raise _Leaving(0)
        if self._path is not None and self._save_or_say():
            raise _Leaving(0)
        try:
            answer = self._ask(SAVE_FIRST).strip().lower()
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            raise _Leaving(0 if self._save_or_say() else UNSAVED) from None
        if answer in ("n", "no") or (answer in ("", "y", "yes") and self._save_or_say()):
            raise _Leaving(0)
