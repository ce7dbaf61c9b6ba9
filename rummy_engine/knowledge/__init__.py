"""What a seat may know of a state, sees happen, and can imagine."""
