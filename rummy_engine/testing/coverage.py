"""What a run of plays has reached: phases, action types, endings, and the dials that had a say in what happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rummy_engine.actions import Action
from rummy_engine.game import Game
from rummy_engine.profiles.dials import dials
from rummy_engine.state import State
from rummy_engine.testing.idle import idle_dials, seats
from rummy_engine.testing.laws.scores import ended
from rummy_engine.testing.marks import MARKS, Seen
from rummy_engine.testing.staticchecks import impossible_actions, possible_endings


class Coverage:
    """Counts what was reached in the plays of one game."""

    def __init__(self, game: Game) -> None:
        self._profile = game.profile
        rules = [game.rules(n) for n in seats(game.profile)]
        never = impossible_actions(game.profile)
        self.players: Counter[int] = Counter({each.players: 0 for each in rules})
        """Steps per number of seats."""
        self.phases: Counter[str] = Counter(
            {phase: 0 for each in rules for phase in each.phases if phase not in never}
        )
        """States per phase."""
        kinds = {kind.__name__: kind for each in rules for kind in each.in_game}
        self.actions: Counter[str] = Counter({name: 0 for name in sorted(kinds) if name not in never})
        """Actions per type."""
        self.endings: Counter[str] = Counter(
            {kind: 0 for n in self.players for kind in possible_endings(game, n)}
        )
        """Rounds per ending."""
        idle = {each.path for each in idle_dials(game.profile)}
        if not {"exhausted", "stock_out"} & self.endings.keys():
            idle |= {"stock.then", "deal.after_exhausted"}  # with renewals without end the stock hardly ever runs out
        self._waiting = {path: MARKS[path] for path in self._set_dials() if path in MARKS and path not in idle}
        self.dials: dict[str, bool] = dict.fromkeys(self._waiting, False)
        """Whether each dial that is not idle has had its say."""

    def _set_dials(self) -> list[str]:
        match = self._profile.match
        unset = {"match.target" if match.target is None else "match.rounds"}
        return [
            dial.path
            for dial in dials()
            if getattr(self._profile, dial.path.split(".")[0]) is not None and dial.path not in unset
        ]

    def note(self, before: State, action: Action, after: State) -> None:
        """Counts one step."""
        result = ended(before, after)
        self.players[before.players] += 1
        self.phases[before.phase] += 1
        self.actions[type(action).__name__] += 1
        if after.phase == "over":
            self.phases["over"] += 1
        if result is not None:
            self.endings[result.kind] += 1
        seen = Seen(self._profile, before, action, after, result)
        for path in [path for path, mark in self._waiting.items() if mark(seen)]:
            del self._waiting[path]
            self.dials[path] = True

    @property
    def rounds(self) -> int:
        """How many rounds were ended."""
        return sum(self.endings.values())

    @property
    def steps(self) -> int:
        """How many actions were taken."""
        return sum(self.actions.values())

    def missing(self) -> dict[str, tuple[str, ...]]:
        """What was never reached, by kind; kinds with nothing missing are left out."""
        counted: dict[str, Iterable[tuple[object, int]]] = {
            "players": self.players.items(),
            "phases": self.phases.items(),
            "actions": self.actions.items(),
            "endings": self.endings.items(),
            "dials": self.dials.items(),
        }
        found = {name: tuple(str(key) for key, count in each if not count) for name, each in counted.items()}
        return {name: each for name, each in found.items() if each}

    def lines(self) -> list[str]:
        """The counts, and what was never reached, for people."""
        counts: dict[str, Iterable[tuple[str, int]]] = {
            "players": [(f"with {number}:", count) for number, count in self.players.items()],
            "phases": self.phases.items(),
            "actions": self.actions.items(),
            "endings": self.endings.items(),
        }
        lines = [f"{name}: " + ", ".join(f"{key} {count}" for key, count in each) for name, each in counts.items()]
        lines.append(f"dials exercised: {sum(self.dials.values())} of {len(self.dials)}")
        missing = self.missing()
        lines += [f"never reached ({kind}): {', '.join(names)}" for kind, names in missing.items()]
        return lines if missing else [*lines, "never reached: nothing that this profile has"]

    def to_dict(self) -> dict[str, object]:
        """The counts as plain data."""
        return {
            "players": {str(key): count for key, count in self.players.items()},
            "phases": dict(self.phases),
            "actions": dict(self.actions),
            "endings": dict(self.endings),
            "dials": dict(self.dials),
            "missing": {name: list(each) for name, each in self.missing().items()},
        }
