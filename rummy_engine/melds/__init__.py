"""What a meld is, the melds of a hand, its least deadwood and its best arrangement."""
