"""Shows both leaderboards: text, JSON, CSV, figures, and one HTML page."""
