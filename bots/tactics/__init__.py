"""What several bots share: tracking, the posterior, solvers, placement, moving ships."""
