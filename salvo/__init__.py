"""The application: the only package that knows the arena, the bots and the leaderboards."""
