"""A state of the game: an immutable, hashable value made of ints, text and tuples; no rules, no randomness."""

from __future__ import annotations

from typing import Any, NamedTuple

from rummy_engine.cards import Card, CardSet
from rummy_engine.described import described
from rummy_engine.melds.shapes import Meld

DEALER = -1
"""The seat that acts in the phases "deal" and "reshuffle", and when the match is over: chance."""
NOBODY = -1
"""The seat index for "no seat"."""

PHASES = ("deal", "offer", "draw", "play", "spread", "respond", "call", "reshuffle", "over")


@described
class RoundResult(NamedTuple):
    """How a round ended and what it was worth; sequences are by seat, in points.

    >>> from rummy_engine import load
    >>> game = load("rummy-500")
    >>> state = game.position(hands=["KC", "9H"], table=["1: 4S 5S 6S 7S"], seat=0, phase="play")
    >>> result = game.apply(state, "discard KC").result
    >>> result.kind, result.winner, result.points, result.standing
    ('out', 0, (0, 13), ('loss', 'win'))

    Fields:
        kind: "out" (a hand was emptied), "gin", "knock", "undercut", "stock_out" (ended on an exhausted stock and
            scored), "exhausted" (ended on one, nobody scores), "deadlock" or "void" (after `ending.max_turns`).
        winner: The seat that ended the round: that went out, knocked unbeaten, or alone undercut (or alone held the
            lowest hand); else None. Not always the one with the most points: `standing` says that.
        points: What the round added to the match score, per seat.
        left: The points left in each hand: deadwood after lay-offs where there is knocking.
        tabled: The points that each seat laid on the table in this round.
        bonus: The part of `points` that is a bonus, on the seat that gets it.
        doubled: Whether the points were doubled, because the winner went rummy.
        standing: "win" for the best points of the round ("draw" for several best), "loss" for the rest; where nobody
            scores, all have what the dial `scoring.drawn` says.
        turns: How many turns were completed, the last one included.
        renewals: How often the stock was renewed.
        dealer: The seat that had dealt.
        round: The number of the round, from 1.
    """

    kind: str
    winner: int | None
    points: tuple[int, ...]
    left: tuple[int, ...]
    tabled: tuple[int, ...]
    bonus: tuple[int, ...]
    doubled: bool
    standing: tuple[str, ...]
    turns: int
    renewals: int
    dealer: int
    round: int


@described
class Rest(NamedTuple):
    """The part of a state that most turns leave as it is: one value, so that a turn hands it on whole.

    Fields:
        table: The melds on the table, in the order in which they were laid.
        fits: The cards off the table that some table meld takes: kept so that asking costs one `&`.
        owed: What this turn must still table: the deepest card taken, a joker swapped in.
        melds_now: How many new melds this turn has laid.
        tabled_now: Whether this turn tabled anything.
        tabled: The seats that melded or laid off in an earlier turn of this round, ascending.
        stock_only: Whether this draw must come from the stock (all passed the up-card; the stock was renewed on a
            draw).
        stock_known: How many of the next draws everybody knows (a pile turned over unshuffled).
        renewals: How often the stock was renewed in this round.
        by: Whose knock or discard is being answered, in the phases spread, respond, call and reshuffle; else NOBODY
            (-1).
        declared: What the knocker declared: "knock", "gin" or "big_gin"; "" without a knock.
        knock_limit: The deadwood limit in force for a knock (points); None: no limit, or no knocking here.
        face_down: The seat whose last discard lies face down on the pile, else NOBODY (-1).
        dealer: The seat that dealt; once the round is over, the one that deals next.
        scores: The points of the match so far, per seat.
        round: The number of the round, from 1; it moves on as soon as a round ends.
        result: How the round that finished last ended; None in the first round.
    """

    table: tuple[Meld, ...]
    fits: CardSet
    owed: CardSet
    melds_now: int
    tabled_now: bool
    tabled: tuple[int, ...]
    stock_only: bool
    stock_known: int
    renewals: int
    by: int
    declared: str
    knock_limit: int | None
    face_down: int
    dealer: int
    scores: tuple[int, ...]
    round: int
    result: RoundResult | None


@described
class State(NamedTuple):
    """Everything about a match at one moment: what every turn changes, and the rest.

    The fields of `Rest` are read here, too: `state.table` is `state.rest.table`. Hands are sets of cards:
    `format_cards(state.hands[0])` is the text of one.

    Fields:
        seat: The seat to act; DEALER (-1) while a deal or a reshuffle is due and when the match is over.
        phase: "deal", "offer", "draw", "play", "spread", "respond", "call", "reshuffle" or "over".
        hands: The cards in each hand, per seat.
        stock: The stock, next draw first.
        pile: The pile, top last.
        known: Per seat: the cards of its hand that everybody saw it take.
        taken: What this turn took from the pile, bottom to top.
        turns: How many turns were completed in this round.
        idle: Turns in a row, up to now, that began with an exhausted stock and tabled nothing (rules R29).
        rest: What most turns leave as it is.
    """

    seat: int
    phase: str
    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    known: tuple[CardSet, ...]
    taken: tuple[Card, ...]
    turns: int
    idle: int
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


for _name in Rest._fields:  # help(State) says what they are, too
    getattr(State, _name).__doc__ = getattr(Rest, _name).__doc__

FIELDS = (*State._fields[:-1], *Rest._fields)
"""The names of everything that a state holds."""


def fresh(
    dealer: int, scores: tuple[int, ...], round_: int, result: RoundResult | None, knock_limit: int | None = None
) -> Rest:
    """The rest of a state before anybody has played: nothing lies on the table, nothing is owed or answered."""
    return Rest(
        table=(),
        fits=0,
        owed=0,
        melds_now=0,
        tabled_now=False,
        tabled=(),
        stock_only=False,
        stock_known=0,
        renewals=0,
        by=NOBODY,
        declared="",
        knock_limit=knock_limit,
        face_down=NOBODY,
        dealer=dealer,
        scores=scores,
        round=round_,
        result=result,
    )
