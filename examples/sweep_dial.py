"""Sweep a dial: how the limit for knocking changes the length of a round and the share of undercuts."""

from rummy_engine.compare import Until, compare

comparison = compare(
    ["gin-classic"],
    rounds=2000,  # at most; the rule below ends it earlier
    until=Until("turns", 1.5),
    vary={"knock.limit": [0, 5, 10, 20]},
    seed=1,
)
print("deals of each:", comparison.rows[0].tally.take("deals"))
for row in comparison.rows:
    undercut = row.measures.get("ended_undercut")
    share = 0 if undercut is None else 100 * (undercut.value or 0)
    print(f"{row.label}: {row.measures['turns'].value:.1f} turns, {share:.1f} % undercut")

# It prints:
# deals of each: 325
# gin-classic knock.limit=0: 18.9 turns, 0.0 % undercut
# gin-classic knock.limit=5: 13.4 turns, 0.9 % undercut
# gin-classic knock.limit=10: 10.7 turns, 2.8 % undercut
# gin-classic knock.limit=20: 6.9 turns, 1.5 % undercut
