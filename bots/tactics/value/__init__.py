"""How many shots are left to a strong shooter, and what a salvo may come to."""
