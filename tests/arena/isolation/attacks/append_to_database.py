"""Write to the database."""

from pathlib import Path

from hostile import targets

with Path(targets["database"]).open("ab") as database:
    database.write(b"one more game")
