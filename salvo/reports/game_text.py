"""A game in words: who played whom, what was fired, how it ended."""

from arena.records import Game, Termination
from arena.rules import CellsReport, CountReport, Rules, Salvo, Seat, cell_name, other

__all__ = ["seat_names", "tell_end", "tell_game", "tell_salvo"]


def seat_names(game: Game) -> dict[Seat, str]:
    """Return who sat in each seat."""
    return {"first": game.fixture.first, "second": game.fixture.second or "the layout"}


def tell_game(game: Game, rules: Rules) -> str:
    """Return the id of a game and what it was."""
    fixture = game.fixture
    against = "a layout of the arena" if fixture.second is None else fixture.second
    number = f"{'layout' if fixture.second is None else 'pair'} {fixture.pair}"
    return f"{fixture.id}: {fixture.first} against {against}, {rules.name}, {number}"


def tell_salvo(salvo: Salvo, rules: Rules) -> str:
    """Return a salvo with what was told of it; cells told as hits are marked."""
    report = salvo.report
    hits = report.hits if isinstance(report, CellsReport) else ()
    text = " ".join(
        cell_name(cell, rules.columns) + ("*" if cell in hits else "") for cell in salvo.cells
    )
    if isinstance(report, CountReport):
        ships = "" if report.ships is None else f" on {', '.join(report.ships)}"
        text += f"   {report.hits} hits{ships}"
    if isinstance(report.sunk, int):
        return f"{text}   sinks {report.sunk}" if report.sunk else text
    return f"{text}   sinks {', '.join(report.sunk)}" if report.sunk else text


def tell_end(game: Game) -> str:
    """Return how the game ended."""
    if game.result == "draw":
        both = game.termination == Termination.SUNK
        return f"a draw: {'both fleets are sunk' if both else game.reason}"
    names = seat_names(game)
    winner = names[game.result]
    if game.forfeit is None:
        return f"{winner} wins: {game.reason}"
    loser = names[other(game.result)]
    return f"{winner} wins by forfeit ({game.termination}) of {loser}: {game.reason}"
