"""A person against bots in the terminal: the screen, the sentences, and the loop of `rummy play`."""
