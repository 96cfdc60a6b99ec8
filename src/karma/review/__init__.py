"""Review: what was luck in a game, what was skill, and what would have been better."""
