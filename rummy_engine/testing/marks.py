"""For every dial, what has to happen in a play for it to have had its say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from rummy_engine.actions import Action, Call, Deal, Discard, Done, Draw, Knock, LayMeld, LayOff, Pass, Swap, Take
from rummy_engine.cards import COPY_BITS, FACES, RANKS
from rummy_engine.melds.shapes import Meld
from rummy_engine.profiles.profile import Profile
from rummy_engine.state import DEALER, RoundResult, State
from rummy_engine.testing.laws.scores import UNSCORED


class Seen(NamedTuple):
    """One step, with what the marks below ask about it."""

    profile: Profile
    before: State
    action: Action
    after: State
    result: RoundResult | None
    """How the round has ended with this step, if it has."""

    @property
    def laid(self) -> Meld | None:
        """The meld that was laid or extended."""
        if isinstance(self.action, LayMeld) and len(self.after.table) > len(self.before.table):
            return self.after.table[-1]
        return self.after.table[self.action.meld] if isinstance(self.action, (LayOff, Swap)) else None

    @property
    def emptied(self) -> bool:
        """Whether the action has emptied the hand."""
        seat = self.before.seat
        return seat != DEALER and self.before.hands[seat] != 0 and self.after.hands[seat] == 0

    def ends(self, *kinds: str) -> bool:
        """Whether the round has ended in one of these ways."""
        return self.result is not None and self.result.kind in kinds

    def lays(self, kind: str) -> Meld | None:
        """The set or run that was laid or extended."""
        return self.laid if self.laid is not None and self.laid.kind == kind else None


Mark: TypeAlias = Callable[[Seen], object]


def _set_of(size: Callable[[Profile], int]) -> Mark:
    return lambda s: (meld := s.lays("set")) and len(meld.cards) == min(size(s.profile), _widest_set(s.profile))


def _widest_set(profile: Profile) -> int:
    return len(profile.deck.suits) if profile.melds.set_suits == "distinct" else profile.melds.set_max


def _longest_run(s: Seen) -> bool:
    """Whether a run is as long as it may get; where the suit is no longer than that, any run will do."""
    run, most = s.lays("run"), s.profile.melds.run_max
    return run is not None and (len(run.cards) == most or most >= len(s.profile.deck.ranks))


def _wild_meld(s: Seen) -> Meld | None:
    return s.laid if s.laid is not None and s.laid.wilds else None


def _full_of_wilds(s: Seen) -> bool:
    most = s.profile.wilds.max_per_meld
    return (meld := _wild_meld(s)) is not None and meld.wilds >= (1 if most == "unlimited" else most)


def _may_swap(s: Seen) -> bool:
    """Whether a joker lay on the table whose natural card somebody held."""
    if s.profile.wilds.swap:
        return isinstance(s.action, Swap)
    return s.before.phase == "play" and any(
        card.is_joker and s.before.hands[s.before.seat] & COPY_BITS[face]
        for meld in s.before.table
        for card, face in zip(meld.cards, meld.faces, strict=True)
        if face < 52
    )


def _takes_pile(s: Seen) -> bool:
    deep = s.profile.draw.pile
    if deep == "closed":
        return isinstance(s.action, Draw) and bool(s.before.pile)
    return isinstance(s.action, Take) and (s.action.count > 1 or deep == "top")


def _lays_as_dial(s: Seen) -> bool:
    when = s.profile.lay.when
    if when == "knock":
        return isinstance(s.action, Knock)
    return s.laid is not None and (when == "any_turn" or s.ends("out"))


def _full_of_melds(s: Seen) -> bool:
    most = s.profile.lay.melds_per_turn
    return isinstance(s.action, LayMeld) and s.before.melds_now + 1 >= (2 if most == "unlimited" else most)


def _lay_off_is_asked(s: Seen) -> bool:
    if s.profile.lay.layoff == "none":
        return s.before.phase == "play" and bool(s.before.hands[s.before.seat] & s.before.fits)
    return isinstance(s.action, LayOff) and s.before.phase == "play"


def _last_as_dial(s: Seen) -> bool:
    by_discard = s.profile.discard.last == "required"
    return s.emptied and isinstance(s.action, Discard) == by_discard


def _goes_out_by_discard(s: Seen) -> bool:
    return s.ends("out") and isinstance(s.action, Discard)


def _exhausted(s: Seen) -> bool:
    return s.after.renewals > s.before.renewals or s.after.phase == "reshuffle" or s.ends("exhausted", "stock_out")


def _renewed(s: Seen) -> bool:
    never = s.profile.stock.when_empty == "none" or s.profile.stock.renewals == 0
    return s.ends("exhausted", "stock_out") if never else s.after.renewals > s.before.renewals


def _used_up(s: Seen) -> bool:
    most = s.profile.stock.renewals
    return s.after.renewals >= 2 if most == "unlimited" else s.after.renewals >= most and _exhausted(s)


def _chained(s: Seen) -> bool:
    if not isinstance(s.action, LayOff) or s.before.phase != "respond":
        return False
    return any(by != s.before.by for by in s.before.table[s.action.meld].by)


def _tied(s: Seen) -> bool:
    if s.result is None or not s.ends("knock", "undercut"):
        return False
    knocker = s.before.by if s.before.phase == "respond" else s.before.seat
    others = [left for seat, left in enumerate(s.result.left) if seat != knocker]
    return min(others) == s.result.left[knocker]


def _scored(s: Seen) -> bool:
    return s.result is not None and s.result.kind not in UNSCORED


def _counts(rank: int) -> Mark:
    """Whether a card of this rank was counted in a scored round (13: a joker)."""
    return lambda s: _scored(s) and any(
        card.rank == rank
        for card in (
            *(each for meld in s.after.table for each in meld.cards),
            *(FACES[i] for i in range(108) if any(hand >> i & 1 for hand in s.after.hands)),
        )
    )


def _low_ace(s: Seen) -> bool:
    return _scored(s) and any(meld.kind == "run" and meld.faces[0] % 13 == 0 for meld in s.after.table)


def _over(s: Seen) -> bool:
    return s.after.phase == "over"


def _tie_for_best(s: Seen) -> bool:
    best = (max if s.profile.match.best == "highest" else min)(s.after.scores)
    due = s.after.round > (s.profile.match.rounds or 0) or _over(s)
    if s.profile.match.target is not None:
        due = max(s.after.scores) >= s.profile.match.target.at(s.after.players)
    return s.result is not None and due and s.after.scores.count(best) > 1


def _dealt(s: Seen) -> bool:
    return isinstance(s.action, Deal)


def _second_deal(s: Seen) -> bool:
    if not _dealt(s) or s.before.result is None:
        return False
    last = s.before.result
    return {
        "left": True, "winner": last.winner is not None, "loser": len(set(last.points)) > 1,
    }[s.profile.deal.next_dealer]  # fmt: skip


MARKS: Mapping[str, Mark] = {
    "players.min": lambda s: s.before.players == s.profile.players.min,
    "players.max": lambda s: s.before.players == s.profile.players.max,
    **dict.fromkeys(("deck.packs", "deck.jokers", "deck.ranks", "deck.suits", "deal.hand_size"), _dealt),
    "deal.up_card_offer": lambda s: s.before.phase == "offer" or s.profile.deal.up_card_offer == "none",
    "deal.all_pass": lambda s: s.before.phase == "offer" and s.after.phase == "draw" and isinstance(s.action, Pass),
    "deal.next_dealer": _second_deal,
    "deal.after_exhausted": lambda s: s.ends("exhausted"),
    "melds.set_min": _set_of(lambda profile: profile.melds.set_min),
    "melds.set_max": _set_of(lambda profile: profile.melds.set_max),
    "melds.set_suits": lambda s: s.lays("set"),
    "melds.run_min": lambda s: (run := s.lays("run")) and len(run.cards) == s.profile.melds.run_min,
    "melds.run_max": _longest_run,
    "melds.ace": lambda s: (run := s.lays("run")) and any(face % 13 == 0 for face in run.faces),
    "wilds.min_naturals": lambda s: (meld := _wild_meld(s))
    and len(meld.cards) - meld.wilds == s.profile.wilds.min_naturals,
    "wilds.max_per_meld": _full_of_wilds,
    "wilds.swap": _may_swap,
    "draw.pile": _takes_pile,
    "draw.deep_use": lambda s: isinstance(s.action, Take) and s.action.count > 1,
    "draw.top_obliges": lambda s: isinstance(s.action, Take) and s.action.count == 1,
    "draw.pile_view": lambda s: len(s.before.pile) > 1,
    "lay.when": _lays_as_dial,
    "lay.melds_per_turn": _full_of_melds,
    "lay.layoff": _lay_off_is_asked,
    "lay.needs_own_meld": _lay_off_is_asked,
    "discard.taken": lambda s: len(s.before.taken) == 1 and isinstance(s.action, (Discard, Knock)),
    "discard.last": _last_as_dial,
    "discard.last_unplayable": lambda s: _goes_out_by_discard(s) and s.before.table,
    "discard.last_face_down": _goes_out_by_discard,
    "stock.check": _exhausted,
    "stock.floor": _exhausted,
    "stock.when_empty": _renewed,
    "stock.keep_top": _renewed,
    "stock.renewals": _used_up,
    "stock.then": lambda s: s.ends("exhausted", "stock_out"),
    "knock.limit": lambda s: isinstance(s.action, Knock),
    "knock.ace_limit": lambda s: _dealt(s) and s.after.pile[0].rank == 0,
    "knock.first_turn": lambda s: s.before.phase == "play" and s.before.turns < s.before.players,
    "knock.layoff": lambda s: s.ends("knock", "undercut") or _chained(s),
    "knock.layoff_chain": lambda s: _chained(s) or s.ends("knock", "undercut"),
    "knock.gin_bonus": lambda s: s.ends("gin"),
    "knock.undercut_bonus": lambda s: s.ends("undercut"),
    "knock.undercut_on_tie": _tied,
    "knock.undercut_to": lambda s: s.ends("undercut"),
    "knock.big_gin_bonus": lambda s: (
        isinstance(s.action, Knock) and s.action.card is None if s.profile.knock and s.profile.knock.big_gin_bonus
        else s.ends("gin")
    ),
    "knock.spread": lambda s: isinstance(s.action, Knock),
    "knock.respond": lambda s: s.ends("knock", "undercut")
    or (s.before.phase == "respond" and isinstance(s.action, Done)),
    "call.kind": lambda s: isinstance(s.action, Call) if s.profile.call.kind != "off" else bool(s.before.fits),
    "ending.deadlock": lambda s: s.ends("deadlock") if s.profile.ending.deadlock else s.result is not None,
    "ending.max_turns": lambda s: s.ends("void"),
    "scoring.model": _scored,
    "scoring.rummy": lambda s: s.ends("out") and s.before.seat not in s.before.tabled,
    "scoring.drawn": lambda s: s.ends(*UNSCORED),
    **{f"scoring.values.{rank}": _counts(i) for i, rank in enumerate(RANKS)},
    "scoring.values.joker": _counts(13),
    "scoring.values.low_ace": _low_ace,
    "scoring.values.hand_ace": lambda s: _scored(s)
    and any(hand & COPY_BITS[ace] for hand in s.after.hands for ace in range(0, 52, 13)),
    "match.target": lambda s: _over(s) and s.profile.match.target is not None,
    "match.rounds": lambda s: _over(s) and s.profile.match.rounds is not None,
    "match.best": _over,
    "match.tie": _tie_for_best,
    **dict.fromkeys(("prize.split", "prize.winner_min", "prize.threshold"), _over),
}  # fmt: skip
"""What has to happen for a dial to have had its say. Names and the limits of targets have none."""

SILENT = ("meta.", "match.target_allowed.")
"""Dials that no play can show."""
