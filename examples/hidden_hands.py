"""Host a game with hidden hands: every seat gets only its own view and the events as it saw them."""

import rummy_engine as rummy

match = rummy.Match("gin-knock", players=3, seed=5, dealer=2)
seen = [0] * 3


def send(seat: int) -> None:
    """What a server would send to the client of this seat after each action."""
    view, news = match.view(seat), match.events(seat, since=seen[seat])
    seen[seat] += len(news)
    print(f"  to seat {seat}: {len(view.hand)} cards, {len(view.legal)} actions, news: {', '.join(map(str, news))}")


for seat in range(3):
    send(seat)
for asker, text in [(0, "pass"), (2, "pass"), (1, "pass"), (2, "pass"), (0, "draw")]:
    print(f"seat {asker} asks for {text!r}")
    try:
        match.play(text, seat=asker)
    except rummy.IllegalActionError as error:
        print(f"  refused ({error.reason.name}): {error}")
        continue
    for seat in range(3):
        send(seat)
print("a spectator sees hands of", match.view(None).sizes, "cards")
