"""A `Game`: one profile, compiled. Legal actions, transitions, views and everything else that needs the rules.

A game is immutable and holds no state of play, so one game serves any number of matches and threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from rummy_engine.actions import ACTION_TYPES, WORDS, Action, Deal, LayOff, Reshuffle, is_well_formed, no_action
from rummy_engine.cards import FACES, Card, CardSet, assign_copies, card_set, format_faces, parse_card
from rummy_engine.errors import (
    IllegalActionError,
    MatchError,
    NotationError,
    Problem,
    ProfileError,
    Reason,
    Refusal,
    RummyError,
)
from rummy_engine.hints import is_whole, listed, presentable
from rummy_engine.knowledge.view import View, make_view
from rummy_engine.policy import Policy, Random, ask, check_generator, generator_from, one_a_seat
from rummy_engine.rules import Rules
from rummy_engine.state import DEALER, State, fresh

if TYPE_CHECKING:
    from rummy_engine.knowledge.events import Event, Everything
    from rummy_engine.profiles.profile import Profile


MOST_ROUNDS = 10_000
"""After so many rounds `playout` gives a match up."""


class _Compiled(dict[int, Rules]):
    """The rules per number of players, compiled when first asked for."""

    __slots__ = ("_profile",)

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def __missing__(self, players: int) -> Rules:
        lowest, highest = self._profile.players.min, self._profile.players.max
        if not is_whole(players) or not lowest <= players <= highest:
            seats = f"{lowest} to {highest}" if lowest < highest else f"{lowest}"
            allowed = f"{self._profile.meta.name} is for {seats} players"
            raise ProfileError((Problem("players", presentable(players), allowed),))
        found = self[players] = Rules(self._profile, players)
        return found


class Game:
    """The rules of one profile. Made by `load`."""

    __slots__ = ("_rules", "digest", "profile")

    digest: str
    """Identifies the resolved profile, whatever its title: 16 hexadecimal digits."""
    profile: Profile
    """The profile, with everything it extends and overrides resolved."""
    _rules: _Compiled

    def __init__(self, profile: Profile) -> None:
        from rummy_engine.profiles.loading import digest

        assign = object.__setattr__
        assign(self, "profile", profile)
        assign(self, "digest", digest(profile))
        assign(self, "_rules", _Compiled(profile))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a game is immutable: load another to change {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.profile == other.profile

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Game {self.profile.meta.name} {self.digest}>"

    def __reduce__(self) -> tuple[Callable[[Profile], Game], tuple[Profile]]:
        return Game, (self.profile,)

    def rules(self, players: int) -> Rules:
        """The compiled rules for a number of seats; raises ProfileError for a number the profile does not allow."""
        # 2.0 and True would be found where 2 and 1 are.
        return self._rules[players] if is_whole(players) else self._rules.__missing__(players)

    # ---------------------------------------------------------------------------------------- starting a match

    def start(self, players: int, dealer: int = 0) -> State:
        """A new match that waits for its first deal.

        Raises ProfileError for a number of players the profile does not allow, RummyError for a dealer that is no seat.

        >>> game = load("basic")
        >>> game.phase(game.start(players=2))
        'deal'
        """
        self.rules(players)
        if not is_whole(dealer) or not 0 <= dealer < players:
            raise RummyError(f"the dealer must be a seat from 0 to {players - 1}, not {presentable(dealer)!r:.40}")
        zeros = (0,) * players
        return State(
            seat=DEALER,
            phase="deal",
            hands=zeros,
            stock=(),
            pile=(),
            known=zeros,
            taken=(),
            turns=0,
            idle=0,
            rest=fresh(dealer, scores=zeros, round_=1, result=None),
        )

    def position(self, /, **keywords: Any) -> State:
        """Any situation from text; only `hands` is required, one text a seat.

        >>> game = load("basic")
        >>> state = game.position(hands=["4C 9D", "2H"], pile="KS")
        >>> [str(action) for action in game.legal(state)]
        ['draw', 'take']

        The cards: `hands`, `pile` (bottom to top), `stock` (next draw first; default: every card not named elsewhere),
        `table` (as `["0: 4H 5H 6H + 1: 7H"]`: who laid what), `known`, `taken`, `owed`, `copies`.
        Whose turn: `seat` (default: left of the dealer), `dealer` (0), `phase` ("draw"), `by`.
        The round so far: `tabled`, `renewals`, `turns`, `idle`, `stock_only`, `stock_known`, `melds_now`, `tabled_now`,
        `declared`, `knock_limit`, `face_down`. The match: `scores` (0), `round` (1), `result`.
        docs/notation.md says what each means and what holds without it.

        Raises NotationError or ProfileError with every problem listed.
        """
        from rummy_engine.rules.possible import possible
        from rummy_engine.text.position import make_position

        players = self.profile.players
        state = make_position(self.rules, players.min, players.max, keywords)
        return possible(self._rules[len(state.hands)], state)

    def describe(self, state: State) -> dict[str, Any]:
        """The keywords of `position` that give this state: `game.position(**game.describe(state)) == state`."""
        from rummy_engine.text.position import describe

        return describe(state)

    # -------------------------------------------------------------------------------------------- legal actions

    def legal(self, state: State) -> tuple[Action, ...]:
        """Every legal action of the seat to act, each once; () when the dealer must act or the match is over."""
        return self._rules[len(state.hands)].legal[state.phase](state)

    def is_legal(self, state: State, action: Action | str) -> bool:
        """Whether `legal` lists this action, without listing. Chance actions are never legal for a seat."""
        return self.why_not(state, action) is None

    def why_not(self, state: State, action: Action | str) -> Refusal | None:
        """Why an action is refused, as data, or None if it is legal; for greying out moves without exceptions.

        >>> game = load("basic")
        >>> state = game.position(hands=["2H", "4C 9D KS"], phase="play", taken="KS")
        >>> game.why_not(state, "discard KS").reason
        <Reason.JUST_TAKEN: 'just_taken'>
        """
        action = self._action(state, action)
        if state.seat == DEALER:
            if state.phase == "over":
                return Refusal(Reason.MATCH_OVER, "the match is over")
            if isinstance(action, (Deal, Reshuffle)) and (refusal := self._refusal(state, action)):
                return refusal
            if state.phase == "deal" and state.result is not None:
                return Refusal(Reason.ROUND_OVER, "the round is over: the next deal is due")
            return Refusal(Reason.NOT_YOUR_TURN, f"the dealer is to act (phase {state.phase!r})")
        if isinstance(action, (Deal, Reshuffle)):
            return Refusal(Reason.NOT_YOUR_TURN, f"a seat is to act, not the dealer (phase {state.phase!r})")
        return self._refusal(state, action)

    def _refusal(self, state: State, action: Action) -> Refusal | None:
        rules = self._rules[len(state.hands)]
        refuse = rules.refuse.get(state.phase, {}).get(type(action))
        if refuse is not None:
            return refuse(state, action)
        if state.phase == "over":
            return Refusal(Reason.MATCH_OVER, "the match is over")
        word = WORDS[type(action)]
        if type(action) not in rules.in_game:
            return Refusal(Reason.NOT_IN_THIS_VARIANT, f"there is no {word!r} in this variant", {"action": word})
        possible = listed([repr(WORDS[kind]) for kind in ACTION_TYPES if kind in rules.refuse[state.phase]], "or")
        text = f"{word!r} is not possible in phase {state.phase!r}, only {possible}"
        return Refusal(Reason.WRONG_PHASE, text, {"action": word, "phase": state.phase})

    def parse(self, state: State, text: str) -> Action:
        """The action that a text means in this state (docs/notation.md); raises NotationError for what is no action."""
        from rummy_engine.text.notation import parse_action

        return parse_action(self._rules[len(state.hands)].shapes, state, text)

    def targets(self, state: State, card: Card | str) -> tuple[LayOff, ...]:
        """The legal lay-offs of one card (a face or its text): every meld and end it fits."""
        face = parse_card(card) if isinstance(card, str) else card.face if isinstance(card, Card) else None
        if face is None:
            raise NotationError(f"expected a card or its text, not a {type(card).__name__}")
        return tuple(action for action in self.legal(state) if isinstance(action, LayOff) and action.card == face)

    def _action(self, state: State, action: object) -> Action:
        if isinstance(action, str):
            return self.parse(state, action)
        if is_well_formed(action):
            return action
        raise no_action(action)

    # ---------------------------------------------------------------------------------------------- transitions

    def apply(self, state: State, action: Action | str) -> State:
        """The next state. `action` may be text, or a chance action when the dealer is to act.

        Raises NotationError for text that is no action and IllegalActionError for one that is not allowed; the state,
        being immutable, is what it was.
        """
        action = self._action(state, action)
        is_chance = state.seat == DEALER and isinstance(action, (Deal, Reshuffle))
        refusal = self._refusal(state, action) if is_chance else self.why_not(state, action)
        if refusal is not None:
            raise IllegalActionError(action, refusal)
        return self._rules[len(state.hands)].apply[state.phase][type(action)](state, action)

    def apply_unchecked(self, state: State, action: Action) -> State:
        """The next state, for loops that chose from `legal`: with any other action the result means nothing."""
        return self._rules[len(state.hands)].apply[state.phase][type(action)](state, action)

    def chance(self, state: State, rng: Random) -> Action:
        """The deal or reshuffle that the dealer owes.

        The shuffle is Fisher and Yates': cards in pack order (a reshuffle: the pile bottom to top, then what is left of
        the stock), then for i from the last index down to 1, swap i with floor(random() * (i + 1)). Raises RummyError
        when no chance is due, and for what is no generator.
        """
        check_generator(rng)
        rules = self._rules[len(state.hands)]
        if state.phase == "deal":
            return Deal(_shuffled([FACES[each] for each in rules.deck], rng))
        if state.phase == "reshuffle":
            return Reshuffle(_shuffled([FACES[each] for each in rules.stock.to_shuffle(state)], rng))
        raise RummyError(f"no deal or reshuffle is due in phase {state.phase!r}")

    def playout(
        self,
        state: State,
        rng: Random,
        policy: Policy | Sequence[Policy] | None = None,
        until: Literal["round", "match"] = "round",
    ) -> State:
        """The state after playing on to the end of the round or of the match, chance included.

        `policy`: one for all seats, or a sequence with one per seat; None: uniformly among the legal actions. From a
        state between rounds the next round is played. The shuffles are made from `rng`, and for each seat with a policy
        a generator of its own (a `random.Random`) is seeded from it at the start: a policy cannot foresee the shuffles.

        Raises MatchError when a policy returns what is not legal, or when the match is not over after MOST_ROUNDS
        rounds (with some rules nobody ever scores); RummyError for arguments of another kind.
        """
        if until not in ("round", "match"):
            raise RummyError(f"until must be 'round' or 'match', not {presentable(until)!r:.40}")
        check_generator(rng)
        rules = self._rules[len(state.hands)]
        legal, apply, random = rules.legal, rules.apply, rng.random
        seats = None if policy is None else one_a_seat(policy, rules.players)
        rngs = None if policy is None else [generator_from(rng) for _ in range(rules.players)]
        last = state.round + MOST_ROUNDS
        begun = False
        while True:
            phase = state.phase
            moves = legal[phase](state)
            action: Action
            if not moves:  # the dealer is to act, if anybody
                if phase == "over" or (phase == "deal" and begun and until == "round"):
                    return state
                if state.round >= last:
                    raise MatchError(f"the match is not over after {MOST_ROUNDS} rounds")
                action = self.chance(state, rng)
            elif seats is None or rngs is None:
                action = moves[int(random() * len(moves))]
            else:
                action = ask(seats[state.seat], self.view(state, state.seat), moves, rngs[state.seat])
            state = apply[phase][type(action)](state, action)
            begun = True

    # ------------------------------------------------------------------------------------------------ questions

    def phase(self, state: State) -> str:
        """ "deal", "offer", "draw", "play", "spread", "respond", "call", "reshuffle" or "over"."""
        return state.phase

    def round_over(self, state: State) -> bool:
        """Whether the round has ended (and the next deal, if any, has not been made)."""
        return state.phase == "over" or (state.phase == "deal" and state.result is not None)

    def is_over(self, state: State) -> bool:
        """Whether the match has ended."""
        return state.phase == "over"

    def winners(self, state: State) -> tuple[int, ...]:
        """The seats that have won the match; () before its end."""
        if state.phase != "over":
            return ()
        return tuple(seat for seat, place in enumerate(self.places(state)) if place == 1)

    def places(self, state: State) -> tuple[int, ...]:
        """The place of each seat by its total, from 1; equal totals share a place."""
        return self._rules[len(state.hands)].match.places(state.scores)

    def payout(self, state: State, pot: int) -> tuple[int, ...]:
        """What each seat gets of the pot, in whole minor units that sum to it (rules B26).

        Raises ProfileError without a [prize] section, RummyError before the end of the match or for a negative pot.
        """
        if not is_whole(pot) or pot < 0:
            raise RummyError(f"the pot must be a whole number of minor units, not {presentable(pot)!r:.40}")
        shares = self._rules[len(state.hands)].payout(state.scores, pot)
        if state.phase != "over":
            raise RummyError("the prize is paid out when the match is over")
        return shares

    # ------------------------------------------------------------------------------------------------ knowledge

    def view(self, state: State, seat: int | None) -> View:
        """What a seat may know (None: a spectator), with its legal actions when it is to act."""
        rules = self._rules[len(state.hands)]
        legal = rules.legal[state.phase](state) if seat == state.seat else ()
        return make_view(rules, state, seat, legal)

    def sample(self, view: View, rng: Random) -> State:
        """A full state that fits a view: uniform over the placements of the cards the seat does not know."""
        from rummy_engine.knowledge.sampling import sample_state

        if not isinstance(view, View):
            raise RummyError(f"expected a view, not a {type(view).__name__}")
        check_generator(rng)
        return sample_state(self._rules[view.players], view, rng)

    def events(
        self, before: State, action: Action | str, after: State, seat: int | Everything | None = None
    ) -> tuple[Event, ...]:
        """What happened between two states, as a seat saw it (None: a spectator; ALL: everything)."""
        from rummy_engine.knowledge.events import make_events

        return make_events(self._rules[len(before.hands)], before, self._action(before, action), after, seat)

    def key(self, state: State) -> tuple[object, ...]:
        """Equal for states that differ only in twins, counters and the order of the melds on the table."""
        from rummy_engine.knowledge.key import state_key

        return state_key(self._rules[len(state.hands)], state)

    def rules_holding(self, faces: tuple[Card, ...]) -> tuple[Rules, CardSet]:
        """The rules of the smallest table whose pack holds these faces, and cards of it that show them.

        Raises NotationError if no pack does.
        """
        lowest, highest = self.profile.players.min, self.profile.players.max
        for players in range(lowest, highest + 1):
            rules = self._rules[players]
            try:
                return rules, card_set(assign_copies(faces, used=~rules.pack))
            except NotationError:
                continue
        raise NotationError(f"no pack of {self.profile.meta.name} holds {format_faces(faces)}")


def load(
    source: str | os.PathLike[str] | Mapping[str, Any], overrides: Mapping[str, Any] | None = None
) -> Game:
    """A game from a shipped name, the path of a .toml file or a mapping; `overrides` as `{"match.target": 150}`.

    Raises ProfileError with every problem.

    >>> load("rummy-2-6", {"match.target": 150}).profile.match.target.at(players=2)
    150
    """
    from rummy_engine.profiles.loading import load_profile

    return Game(load_profile(source, overrides))


def _shuffled(cards: list[Card], rng: Random) -> tuple[Card, ...]:
    random = rng.random
    try:
        for i in range(len(cards) - 1, 0, -1):
            j = int(random() * (i + 1))
            cards[i], cards[j] = cards[j], cards[i]
    except (IndexError, TypeError, ValueError, OverflowError) as error:
        raise RummyError(f"the generator must give numbers from 0 to less than 1: {error}") from error
    return tuple(cards)
