"""Says where the opponent's ships lie: counted exactly where that is possible, else sampled."""
