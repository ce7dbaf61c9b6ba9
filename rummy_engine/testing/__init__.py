"""Proving that rules are right: laws for any game, ways to reach their rare corners, and `verify` for any profile.

`laws` are functions that raise `LawBroken`; `verify(game)` tries them all and says what was covered. They need no other
package. With the extra `testing` (hypothesis) there are also `rummy_engine.testing.strategies`, and in
`rummy_engine.testing.machine` a state machine that any game plugs into with one line.
"""

from rummy_engine.testing.laws import LAWS, LawBroken
from rummy_engine.testing.verify import Report, verify

__all__ = ["LAWS", "LawBroken", "Report", "verify"]
