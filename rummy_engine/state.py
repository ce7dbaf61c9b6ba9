"""A state of the game: an immutable, hashable value made of ints, text and tuples; no rules, no randomness."""

from __future__ import annotations

from typing import Any, NamedTuple

from rummy_engine.cards import Card, CardSet
from rummy_engine.melds import Meld

DEALER = -1
"""The seat that acts in the phases "deal" and "reshuffle": chance."""
NOBODY = -1
"""The seat index for "no seat"."""

PHASES = ("deal", "offer", "draw", "play", "spread", "respond", "call", "reshuffle", "over")


class RoundResult(NamedTuple):
    """How a round ended and what it was worth; sequences are by seat, in points."""

    kind: str
    """"out", "gin", "knock", "undercut", "stock_out", "exhausted", "deadlock" or "void"."""
    winner: int | None
    """Who went out, knocked unbeaten or alone undercut (or alone held the lowest hand); else None."""
    points: tuple[int, ...]
    left: tuple[int, ...]
    """Points left per hand: deadwood after lay-offs where there is knocking."""
    tabled: tuple[int, ...]
    bonus: tuple[int, ...]
    """The part of `points` that is a bonus, on the seat that gets it."""
    doubled: bool
    standing: tuple[str, ...]
    """Per seat "win", "draw" or "loss"."""
    turns: int
    renewals: int
    dealer: int
    round: int


class Rest(NamedTuple):
    """The part of a state that most turns leave as it is: one value, so that a turn hands it on whole."""

    table: tuple[Meld, ...]
    fits: CardSet
    """The cards off the table that some table meld takes: kept so that asking costs one `&`."""
    owed: CardSet
    """What this turn must still table: the deepest card taken, a joker swapped in."""
    melds_now: int
    """New melds laid in this turn."""
    tabled_now: bool
    """Whether this turn tabled anything."""
    tabled: tuple[int, ...]
    """The seats that melded or laid off in an earlier turn of this round, ascending."""
    stock_only: bool
    """Whether this draw must come from the stock (all passed the up-card; the stock was renewed on a draw)."""
    stock_known: int
    """How many of the next draws everybody knows (a pile turned over unshuffled)."""
    renewals: int
    by: int
    """Whose knock or discard is being answered, in the phases spread, respond, call and reshuffle; else NOBODY."""
    declared: str
    """"", "knock", "gin" or "big_gin": what the knocker declared."""
    knock_limit: int | None
    """The deadwood limit in force for a knock (points); None: no limit, or no knocking here."""
    face_down: int
    """The seat whose last discard lies face down on the pile, else NOBODY."""
    dealer: int
    scores: tuple[int, ...]
    round: int
    result: RoundResult | None
    """How the round last finished ended, else None."""


class State(NamedTuple):
    """Everything about a match at one moment: what every turn changes, and the rest.

    The fields of `Rest` are read here, too: `state.table` is `state.rest.table`.
    """

    seat: int
    """The seat to act, or DEALER."""
    phase: str
    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    """Next draw first."""
    pile: tuple[Card, ...]
    """Top last."""
    known: tuple[CardSet, ...]
    """Per seat: the cards of its hand that everybody saw it take."""
    taken: tuple[Card, ...]
    """What this turn took from the pile, bottom to top."""
    turns: int
    """Turns completed in this round."""
    idle: int
    """Turns in a row, up to now, that began with an exhausted stock and tabled nothing (rules R29)."""
    rest: Rest

    def changed(self, **fields: Any) -> State:
        """The state with other values in these fields, those of `rest` by their own names.

        >>> state = State(*[0] * 9, rest=Rest(*[0] * 17))
        >>> state.changed(seat=1, renewals=2).renewals
        2
        """
        names = State._fields
        lasting = {name: value for name, value in fields.items() if name not in names}
        mine = {name: value for name, value in fields.items() if name in names}
        return self._replace(**mine, rest=self.rest._replace(**lasting)) if lasting else self._replace(**mine)

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @property
    def table(self) -> tuple[Meld, ...]:
        """See `Rest.table`."""
        return self.rest.table

    @property
    def fits(self) -> CardSet:
        """See `Rest.fits`."""
        return self.rest.fits

    @property
    def owed(self) -> CardSet:
        """See `Rest.owed`."""
        return self.rest.owed

    @property
    def melds_now(self) -> int:
        """See `Rest.melds_now`."""
        return self.rest.melds_now

    @property
    def tabled_now(self) -> bool:
        """See `Rest.tabled_now`."""
        return self.rest.tabled_now

    @property
    def tabled(self) -> tuple[int, ...]:
        """See `Rest.tabled`."""
        return self.rest.tabled

    @property
    def stock_only(self) -> bool:
        """See `Rest.stock_only`."""
        return self.rest.stock_only

    @property
    def stock_known(self) -> int:
        """See `Rest.stock_known`."""
        return self.rest.stock_known

    @property
    def renewals(self) -> int:
        """See `Rest.renewals`."""
        return self.rest.renewals

    @property
    def by(self) -> int:
        """See `Rest.by`."""
        return self.rest.by

    @property
    def declared(self) -> str:
        """See `Rest.declared`."""
        return self.rest.declared

    @property
    def knock_limit(self) -> int | None:
        """See `Rest.knock_limit`."""
        return self.rest.knock_limit

    @property
    def face_down(self) -> int:
        """See `Rest.face_down`."""
        return self.rest.face_down

    @property
    def dealer(self) -> int:
        """See `Rest.dealer`."""
        return self.rest.dealer

    @property
    def scores(self) -> tuple[int, ...]:
        """See `Rest.scores`."""
        return self.rest.scores

    @property
    def round(self) -> int:
        """See `Rest.round`."""
        return self.rest.round

    @property
    def result(self) -> RoundResult | None:
        """See `Rest.result`."""
        return self.rest.result


FIELDS = (*State._fields[:-1], *Rest._fields)
"""The names of everything that a state holds."""
