"""Actions and positions from text, and back."""
