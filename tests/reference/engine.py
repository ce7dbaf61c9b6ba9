"""The reference game: one round and one match, phase by phase, in the words of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from .cards import DEALER, Hand, at_table, pack, read_faces, tidy, without
from .deadlock import deadlocked
from .knock import KnockRules
from .melds import MeldRules
from .position import describe, read_position
from .scoring import Scoring
from .state import State
from .turn import TurnRules

Moves = dict[str, Callable[[], State]]


class ReferenceGame:
    """A table of one profile (a resolved nested dict), slow and plain: text in, text out."""

    def __init__(self, profile: Mapping[str, Any], players: int) -> None:
        self.profile, self.players = profile, players
        self.deck = pack(profile, players)
        self.melds = MeldRules(profile)
        self.turn = TurnRules(profile, self.melds)
        self.scoring = Scoring(profile, players, self.melds)
        self.knock = KnockRules(profile, self.melds, self.scoring)
        self.knocking = profile["lay"]["when"] == "knock"
        self._last: tuple[State, Moves] | None = None

    # ---- the interface ---------------------------------------------------------------------------------------

    def start(self, dealer: int = 0) -> State:
        """A new match, waiting for its first deal."""
        return State(hands=((),) * self.players, scores=(0,) * self.players, dealer=dealer)

    def position(self, **named: Any) -> State:
        """A situation from text (docs/notation.md); raises ValueError where nobody could act in it."""
        return self.checked(read_position(self, **named))

    def describe(self, s: State) -> dict[str, Any]:
        return describe(s)

    def phase(self, s: State) -> str:
        return s.phase

    def result(self, s: State) -> dict[str, Any] | None:
        return s.result

    def legal(self, s: State) -> set[str]:
        """The canonical texts of what the seat to act may do."""
        return set(self.moves(s))

    def apply(self, s: State, text: str) -> State:
        """The next state; raises ValueError for anything that is not allowed."""
        verb, _, rest = text.partition(" ")
        if s.seat == DEALER:
            if verb == s.phase == "deal":
                return self.deal(s, read_faces(rest))
            if verb == s.phase == "reshuffle":
                return self.reshuffle(s, read_faces(rest))
            raise ValueError(f"in phase {s.phase} not allowed: {text}")
        moves = self.moves(s)
        if text not in moves:
            raise ValueError(f"not allowed: {text}; allowed: {sorted(moves)}")
        return moves[text]()

    def min_deadwood(self, hand_text: str) -> int:
        return self.scoring.min_deadwood(tidy(read_faces(hand_text)))

    def melds_in(self, hand_text: str) -> set[str]:
        return {meld.text for meld in self.melds.readings(tidy(read_faces(hand_text)))}

    def payout(self, scores: tuple[int, ...], pot: int) -> tuple[int, ...]:
        return self.scoring.payout(scores, pot)

    def moves(self, s: State) -> Moves:
        """Every legal action with what it does."""
        if self._last is None or self._last[0] is not s:
            by_phase: dict[str, Callable[[State], Moves]] = {
                "offer": self.offer_moves,
                "draw": self.draw_moves,
                "play": self.play_moves,
                "spread": self.spread_moves,
                "respond": self.respond_moves,
                "call": self.call_moves,
            }
            self._last = (s, by_phase[s.phase](s) if s.phase in by_phase else {})
        return self._last[1]

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.players

    # ---- the dealer ------------------------------------------------------------------------------------------

    def deal(self, s: State, cards: Hand) -> State:
        """C8, C10: one at a time from the dealer's left, then the up-card, then the stock."""
        if Counter(cards) != Counter(self.deck):
            raise ValueError("a deal names every card of the game once")
        size = at_table(self.profile["deal"]["hand_size"], self.players, s.round)
        dealt = cards[: size * self.players]
        up_card, *stock = cards[size * self.players :]
        hands = [tidy(dealt[(seat - s.dealer - 1) % self.players :: self.players]) for seat in range(self.players)]
        return State(
            hands=tuple(hands),
            scores=s.scores,
            seat=self.left_of(s.dealer),
            dealer=s.dealer,
            phase="offer" if self.profile["deal"]["up_card_offer"] == "round" else "draw",
            stock=tuple(stock),
            pile=(up_card,),
            round=s.round,
            limit=self.knock.limit(up_card),
            result=s.result,
        )

    def reshuffle(self, s: State, cards: Hand) -> State:
        kept, turned = self._split_pile(s)
        if Counter(cards) != Counter((*turned, *s.stock)):
            raise ValueError("a reshuffle names the cards of the new stock")
        return self.renewed(s, kept, cards)

    # ---- the first up-card (B5-B7) ---------------------------------------------------------------------------

    def offer_moves(self, s: State) -> Moves:
        first = self.left_of(s.dealer)
        if self.left_of(s.seat) == first:  # the last to be asked
            only = self.profile["deal"]["all_pass"] == "stock_only" and not self.exhausted(s)
            passed = replace(s, seat=first, phase="draw", stock_only=only)
        else:
            passed = replace(s, seat=self.left_of(s.seat))
        moves: Moves = {"pass": lambda: passed}
        return moves | self.take_moves(s, deepest=1)

    # ---- the draw --------------------------------------------------------------------------------------------

    def draw_moves(self, s: State) -> Moves:
        moves: Moves = {}
        then = self.profile["stock"]["then"]
        if not self.exhausted(s):
            moves["draw"] = partial(self.draw, s)
        elif self.profile["stock"]["check"] == "on_draw":
            if self.can_renew(s):
                moves["draw"] = partial(self.renew, s)
            elif then != "play_on":
                moves["draw"] = partial(self.finish, s, "exhausted" if then == "exhausted" else "stock_out")
        if s.stock_only and moves:
            return moves
        if self.played_out(s):
            moves["stop"] = partial(self.finish, s, "stock_out")
        return moves | self.take_moves(s, deepest=len(s.pile) if self.profile["draw"]["pile"] == "deep" else 1)

    def draw(self, s: State) -> State:
        return replace(self.with_cards(s, s.stock[:1]), stock=s.stock[1:])

    def take_moves(self, s: State, deepest: int) -> Moves:
        """The pile draws after which the turn can be completed (R11, R13, R38)."""
        moves: Moves = {}
        if self.profile["draw"]["pile"] == "closed":
            return moves
        for depth in range(1, min(deepest, len(s.pile)) + 1):
            after = self.take(s, depth)
            if self.turn.completable(after):
                moves["take" if depth == 1 else f"take {depth}"] = partial(_same, after)
        return moves

    def take(self, s: State, depth: int) -> State:
        dials, cards = self.profile["draw"], s.pile[-depth:]
        owes = depth > 1 or dials["top_obliges"]
        return replace(
            self.with_cards(s, cards),
            pile=s.pile[:-depth],
            taken=cards,
            banned=cards[0] if depth == 1 else None,
            owed=((cards[0], dials["deep_use"]),) if owes else (),
        )

    def with_cards(self, s: State, cards: Hand) -> State:
        """The seat picks up cards, which begins its turn proper."""
        hands = list(s.hands)
        hands[s.seat] = tidy((*s.hand, *cards))
        return replace(s, hands=tuple(hands), phase="play", stock_only=False, dry=self.played_out(s))

    # ---- tabling and discarding ------------------------------------------------------------------------------

    def play_moves(self, s: State) -> Moves:
        moves: Moves = {}
        for text, after in self.turn.table_actions(s):
            if self.turn.completable(after):
                moves[text] = partial(self.tabled, after)
        for face in set(s.hand):
            if self.turn.may_discard(s, face):
                moves[f"discard {face}"] = partial(self.discard, s, face)
                if self.knocking and self.knock.may_knock(s, without(s.hand, (face,))):
                    moves[f"knock {face}"] = partial(self.knocked, s, face)
        big = self.knocking and self.profile["knock"]["big_gin_bonus"] > 0
        if big and self.knock.may_knock(s, s.hand) and self.scoring.min_deadwood(s.hand) == 0:
            moves["knock"] = partial(self.knocked, s, None)
        return moves

    def tabled(self, s: State) -> State:
        """A table action was done: an emptied hand goes out (A10) or, where a discard is needed, floats (R38)."""
        if s.hand:
            return s
        return self.end_turn(s, out=self.profile["discard"]["last"] != "float")

    def discard(self, s: State, face: str) -> State:
        s = self.put_down(s, face)
        return self.end_turn(s, out=not s.hand)

    def put_down(self, s: State, face: str) -> State:
        hands = list(s.hands)
        hands[s.seat] = without(s.hand, (face,))
        return replace(s, hands=tuple(hands), pile=(*s.pile, face))

    # ---- the end of a turn (C12) -----------------------------------------------------------------------------

    def end_turn(self, s: State, out: bool) -> State:
        s = replace(
            s,
            by=s.seat,
            turns=s.turns + 1,
            idle=s.idle + 1 if s.dry and not s.tabled_now else 0,
            dry=False,
            taken=(),
            banned=None,
            owed=(),
            melds_made=0,
        )
        if out:
            return self.finish(s, "out", winner=s.seat)
        tabled = s.tabled | {s.seat} if s.tabled_now else s.tabled
        s = replace(s, tabled=tabled, tabled_now=False)
        if self.profile["ending"]["deadlock"] and deadlocked(s, self.deck, self.turn, self.profile):
            return self.finish(s, "deadlock")
        stock = self.profile["stock"]
        due = stock["check"] == "end_of_turn" and self.exhausted(s)
        if due and not self.can_renew(s) and stock["then"] != "play_on":
            return self.finish(s, "exhausted" if stock["then"] == "exhausted" else "stock_out")
        if self.played_out(s) and (not s.pile or s.idle >= 2 * self.players):  # R29
            return self.finish(s, "stock_out")
        if s.turns >= self.profile["ending"]["max_turns"]:
            return self.finish(s, "void")
        if due and self.can_renew(s):
            return self.renew(s)
        return self.window(s)

    def exhausted(self, s: State) -> bool:
        """The stock counts as empty at its floor."""
        return bool(len(s.stock) <= self.profile["stock"]["floor"])

    def can_renew(self, s: State) -> bool:
        """Whether the stock may and can be made anew: it must come out larger than the floor."""
        stock = self.profile["stock"]
        _, turned = self._split_pile(s)
        left: bool = stock["renewals"] == "unlimited" or s.renewals < stock["renewals"]
        return left and stock["when_empty"] != "none" and len(s.stock) + len(turned) > stock["floor"]

    def played_out(self, s: State) -> bool:
        """The stock is gone for good, and the seats may go on with the pile alone (R28)."""
        play_on: bool = self.profile["stock"]["then"] == "play_on"
        return play_on and self.exhausted(s) and not self.can_renew(s)

    def _split_pile(self, s: State) -> tuple[Hand, Hand]:
        """The part of the pile that stays when the stock is renewed, and the part that is used."""
        keep = 1 if self.profile["stock"]["keep_top"] and s.pile else 0
        return s.pile[len(s.pile) - keep :], s.pile[: len(s.pile) - keep]

    def renew(self, s: State) -> State:
        """A12, B10, V6: the pile becomes the stock, shuffled by the dealer or turned over at once."""
        if self.profile["stock"]["when_empty"] == "shuffle":
            by = s.by if s.phase == "play" else (s.seat - 1) % self.players
            return replace(s, seat=DEALER, phase="reshuffle", by=by)
        kept, turned = self._split_pile(s)
        return self.renewed(s, kept, (*turned, *s.stock))

    def renewed(self, s: State, pile: Hand, stock: Hand) -> State:
        s = replace(s, pile=pile, stock=stock, renewals=s.renewals + 1)
        if self.profile["stock"]["check"] == "end_of_turn":
            return self.window(s)
        # The seat asked for a stock card and now draws it; the window for calls was before.
        seat = s.seat if s.phase == "draw" else self.left_of(_seat(s.by))
        return replace(s, seat=seat, phase="draw", stock_only=True)

    # ---- calling rummy (R20-R27) -----------------------------------------------------------------------------

    def window(self, s: State) -> State:
        """C12: ask the first seat that has a call by what lies open; where there is none, the next seat draws."""
        return self.ask_from(s, self.left_of(_seat(s.by)))

    def ask_from(self, s: State, seat: int) -> State:
        while seat != s.by and self.profile["call"]["kind"] != "off" and self.players > 2:
            asked = replace(s, seat=seat, phase="call")
            if self.valid_calls(asked):
                return asked
            seat = self.left_of(seat)
        return replace(s, seat=self.left_of(_seat(s.by)), phase="draw")

    def call_moves(self, s: State) -> Moves:
        moves: Moves = {"pass": lambda: self.ask_from(s, self.left_of(s.seat))}
        return moves | self.calls(s)

    def valid_calls(self, s: State) -> list[int]:
        """How many cards may be called: R21 looks at the pile and the table alone, so everybody sees who is asked."""
        if self.profile["draw"]["pile"] == "closed":
            return []
        deepest = len(s.pile) if self.profile["call"]["kind"] == "pile" else min(1, len(s.pile))
        found = []
        for depth in range(1, deepest + 1):
            cards = s.pile[-depth:]
            alone = list(s.hands)
            alone[s.seat] = tidy(cards)
            if self.turn.can_table(replace(s, hands=tuple(alone)), cards[0]):
                found.append(depth)
        return found

    def calls(self, s: State) -> Moves:
        """The valid calls after which the seat can complete its turn with its own hand."""
        moves: Moves = {}
        for depth in self.valid_calls(s):
            cards = s.pile[-depth:]
            after = replace(self.with_cards(s, cards), pile=s.pile[:-depth], taken=cards, owed=((cards[0], "any"),))
            if self.turn.completable(after):
                moves["call" if depth == 1 else f"call {depth}"] = partial(_same, after)
        return moves

    # ---- after a knock (B10-B19) -----------------------------------------------------------------------------

    def knocked(self, s: State, face: str | None) -> State:
        if face is not None:
            s = self.put_down(s, face)
        gin = self.scoring.min_deadwood(s.hand) == 0
        s = replace(s, by=s.seat, turns=s.turns + 1, gin=gin, big=face is None, taken=(), banned=None)
        if self.profile["knock"]["spread"] == "best":
            return self.spread_done(self.knock.best_spread(s))
        return replace(s, phase="spread")

    def spread_moves(self, s: State) -> Moves:
        moves: Moves = {text: partial(_same, after) for text, after in self.knock.spreads(s)}
        if self.knock.within_limit(s, self.scoring.count(s.hand)):
            moves["done"] = partial(self.spread_done, s)
        return moves

    def spread_done(self, s: State) -> State:
        if s.gin or self.profile["knock"]["respond"] == "best":
            return self.finish_knock(s)
        return replace(s, seat=self.left_of(s.seat), phase="respond")

    def respond_moves(self, s: State) -> Moves:
        moves: Moves = {text: partial(_same, after) for text, after in self.knock.answers(s)}
        moves["done"] = partial(self.answered, s)
        return moves

    def answered(self, s: State) -> State:
        after = self.left_of(s.seat)
        return self.finish_knock(s) if after == s.by else replace(s, seat=after)

    def finish_knock(self, s: State) -> State:
        knocker = _seat(s.by)
        left = [self.scoring.count(hand) for hand in s.hands]
        for seat, hand in enumerate(s.hands):
            if seat != knocker and s.gin:
                left[seat] = self.scoring.min_deadwood(hand)
            elif seat != knocker and self.profile["knock"]["respond"] == "best":
                left[seat] = self.knock.best_answer(replace(s, seat=seat))
        kind, points, bonus, winner = self.scoring.knock_points(knocker, s.gin, s.big, left)
        return self.close(s, kind, winner, points, bonus, left, doubled=False)

    # ---- the end of a round ----------------------------------------------------------------------------------

    def finish(self, s: State, kind: str, winner: int | None = None) -> State:
        """A round that ended without a knock; A17: rummy is out with nothing tabled in an earlier turn."""
        left = self.scoring.left(s.hands)
        rummy = self.profile["scoring"]["rummy"] if kind == "out" and winner not in s.tabled else "off"
        doubled, flat = rummy == "double", rummy if isinstance(rummy, int) else 0
        tabled = self.scoring.tabled(s.table)
        points, bonus, winner = self.scoring.points(kind, winner, left, tabled, doubled, flat)
        return self.close(s, kind, winner, points, bonus, left, doubled)

    def close(
        self,
        s: State,
        kind: str,
        winner: int | None,
        points: list[int],
        bonus: list[int],
        left: list[int],
        doubled: bool,
    ) -> State:
        """Add the points, name the next dealer, and wait for the next deal or end the match."""
        result = {
            "kind": kind,
            "winner": winner,
            "points": tuple(points),
            "left": tuple(left),
            "tabled": tuple(self.scoring.tabled(s.table)),
            "bonus": tuple(bonus),
            "doubled": doubled,
            "standing": self.scoring.standing(kind, points, winner),
            "turns": s.turns,
            "renewals": s.renewals,
            "dealer": s.dealer,
            "round": s.round,
        }
        scores = tuple(old + new for old, new in zip(s.scores, points, strict=True))
        s = replace(s, seat=DEALER, scores=scores, result=result, taken=(), banned=None, owed=(), tabled_now=False)
        if self.scoring.match_over(scores, s.round):
            return replace(s, phase="over")
        return replace(s, phase="deal", round=s.round + 1, dealer=self.scoring.next_dealer(s.dealer, result))

    def checked(self, s: State) -> State:
        """C13: with nothing to draw the round has ended where the profile scores that; else it is no position."""
        if s.phase == "draw" and self.played_out(s) and not s.pile:
            return self.finish(s, "stock_out")
        if s.phase == "call" and not self.valid_calls(s):
            raise ValueError("this seat would not be asked")
        if s.seat != DEALER and not self.legal(s):
            raise ValueError("nobody could act in this position")
        return s


def _same(s: State) -> State:
    return s


def _seat(seat: int | None) -> int:
    assert seat is not None
    return seat
