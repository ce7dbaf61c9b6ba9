"""Host a game with hidden hands: every seat gets only its own view, and the events as it saw them."""

import json

import rummy_engine as rummy

match = rummy.Match("gin-knock", players=3, seed=5, dealer=2)
seen = [0, 0, 0]


def news_for(seat: int) -> list[str]:
    """The events that this seat has not been sent yet, as JSON."""
    news = match.events(seat, since=seen[seat])
    seen[seat] += len(news)
    return [json.dumps(event.to_dict()) for event in news]


for seat in range(3):
    view = match.view(seat)
    print(f"seat {seat} holds", *view.hand, "and may", *view.legal or ["wait"])
    news_for(seat)  # the deal

for asker, text in [(0, "pass"), (2, "pass"), (1, "pass"), (2, "pass"), (0, "draw")]:
    try:
        match.play(text, seat=asker)
        print(f"seat {asker}: {text}")
    except rummy.IllegalActionError as error:
        print(f"seat {asker}: {text!r} is refused, {error.reason.name}: {error.refusal}")

for seat in range(3):
    print(f"to seat {seat}:", news_for(seat)[-1])
print("a spectator sees hands of", match.view(None).sizes)

# It prints:
# seat 0 holds AS 7S 9H KH 4D 9D 5C and may take pass
# seat 1 holds QS 4H 5H 6H 5D 2C TC and may wait
# seat 2 holds 2S TS AH 2H QH 6C 8C and may wait
# seat 0: pass
# seat 2: 'pass' is refused, NOT_YOUR_TURN: seat 1 is to act, not seat 2
# seat 1: pass
# seat 2: pass
# seat 0: draw
# to seat 0: {"event": "Drew", "seat": 0, "card": "QD"}
# to seat 1: {"event": "Drew", "seat": 0, "card": null}
# to seat 2: {"event": "Drew", "seat": 0, "card": null}
# a spectator sees hands of (8, 7, 7)
