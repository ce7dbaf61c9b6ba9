"""The machinery behind `simulate` and `compare`: what is played, counted, added up, shared out, kept and estimated."""
