"""A second implementation of the generator behind the shuffles, to check that they are as docs/shuffles.md says."""

from __future__ import annotations


class Twister:
    """MT19937 from its authors' description, in no way Python's: what another language would do."""

    def __init__(self, number: int) -> None:
        words = [number >> shift & 0xFFFFFFFF for shift in range(0, max(1, number.bit_length()), 32)]
        table = [19650218]
        for i in range(1, 624):
            table.append((1812433253 * (table[-1] ^ table[-1] >> 30) + i) & 0xFFFFFFFF)
        i, j = 1, 0
        for _ in range(max(624, len(words))):
            table[i] = ((table[i] ^ (table[i - 1] ^ table[i - 1] >> 30) * 1664525) + words[j] + j) & 0xFFFFFFFF
            i, j = i + 1, (j + 1) % len(words)
            if i == 624:
                table[0], i = table[623], 1
        for _ in range(623):
            table[i] = ((table[i] ^ (table[i - 1] ^ table[i - 1] >> 30) * 1566083941) - i) & 0xFFFFFFFF
            i += 1
            if i == 624:
                table[0], i = table[623], 1
        table[0] = 0x80000000
        self.table, self.index = table, 624

    def word(self) -> int:
        """The next 32 bits."""
        if self.index == 624:
            for i in range(624):
                y = self.table[i] & 0x80000000 | self.table[(i + 1) % 624] & 0x7FFFFFFF
                self.table[i] = self.table[(i + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
            self.index = 0
        y = self.table[self.index]
        self.index += 1
        y ^= y >> 11
        y ^= y << 7 & 0x9D2C5680
        y ^= y << 15 & 0xEFC60000
        return y ^ y >> 18

    def random(self) -> float:
        """The next number in [0, 1), with 53 bits."""
        return ((self.word() >> 5) * 67108864 + (self.word() >> 6)) / 9007199254740992
