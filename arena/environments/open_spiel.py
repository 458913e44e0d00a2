"""Hands the whole game for two to OpenSpiel, by any rules whose cells are told.

``spiel_game("row-5-3")`` is a game of OpenSpiel, so that its algorithms run on it: CFR and
exploitability on boards of a few cells, PSRO and self-play on larger ones. It needs the package
``open-spiel``.
"""

from typing import Any

import numpy as np
import pyspiel

from arena.environments.fleet_placement import Placing
from arena.environments.sight import SANK, SEATS, Sight, own_sea, reported_sunk, rules_to_learn
from arena.rules import (
    CellsReport,
    Place,
    PlaceRequest,
    Request,
    Rules,
    Shoot,
    ShootRequest,
    apply,
    begin,
    name_layout,
)

_SIGNS = {"board": ".*o#@", "own": ".S", "incoming": ".x"}


def spiel_game(rules: Rules | str) -> Any:  # noqa: ANN401 - OpenSpiel has no types
    """Return a game of OpenSpiel by some rules, or those of a preset.

    Each player first places its fleet, ship by ship, then both shoot. Action ``cell`` shoots there,
    or lays the next ship along the row from that cell; ``cells + cell`` lays it down the column.
    The cells of a salvo are chosen one after another. The utility of the winner is 1, the loser's
    -1, and 0 for a draw. There is no chance: players may mix.

    The string of an information state has all that a player did and was told, in order, as CFR
    needs it; tensors show boards, without the order: a plane for each state of a cell of the
    other's board, the own ships, what came in, what is sunk, and whether ships are being placed.

    Raises:
        RulesError: If a board cannot show what the rules report.
    """
    return SalvoGame(rules_to_learn(rules))


class SalvoGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """The game by one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        kind = pyspiel.GameType(
            short_name="python_salvo",
            long_name=f"Salvo by the rules {rules.name}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=2 * rules.cells,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=2 * (len(rules.fleet) + rules.cells),
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> "SalvoState":
        """Return the state before any ship is placed."""
        return SalvoState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":  # noqa: ANN401
        """Return what writes observations."""
        del params
        return Observer(self.rules, iig_obs_type)


class SalvoState(pyspiel.State):  # type: ignore[misc] # the same
    """One game in play."""

    def __init__(self, game: SalvoGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.game_state = begin(game.rules)
        self.sights = [Sight(game.rules) for _ in SEATS]
        self.placings = [Placing(game.rules) for _ in SEATS]
        self.told: list[list[str]] = [[], []]

    def current_player(self) -> int:
        """Return the player to move."""
        request = self.game_state.request
        player: int = pyspiel.PlayerId.TERMINAL if request is None else _player(request)
        return player

    def _legal_actions(self, player: int) -> list[int]:
        if isinstance(self.game_state.request, PlaceRequest):
            return sorted(self.placings[player].legal())
        return [int(cell) for cell in np.flatnonzero(self.sights[player].mask())]

    def _apply_action(self, action: int) -> None:
        request = self.game_state.request
        assert request is not None
        player = _player(request)
        if isinstance(request, PlaceRequest):
            placing = self.placings[player]
            placing.lay(action)
            self.told[player].append(f"lay {action}")
            if placing.complete:
                layout = name_layout(self.rules, placing.layout)
                self.game_state = apply(self.game_state, Place(layout))
            return
        assert isinstance(request, ShootRequest)
        sight = self.sights[player]
        cells = (*sight.chosen, action)
        self.told[player].append(f"shoot {action}")
        if len(cells) < request.shots:
            sight.choose(action)
            return
        self.game_state = apply(self.game_state, Shoot(cells))
        salvo = self.game_state.salvo
        assert salvo is not None
        report = salvo.report
        assert isinstance(report, CellsReport)
        sight.hear(cells, report)
        hits = ",".join(map(str, report.hits))
        self.told[player].append(f"hits {hits or 'none'} sunk {_sunk(report)}")
        self.told[1 - player].append(f"incoming {','.join(map(str, cells))}")

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        down, cell = divmod(action, self.rules.cells)
        if isinstance(self.game_state.request, PlaceRequest):
            return f"lay {'down' if down else 'along'} from {cell}"
        return f"shoot {cell}"

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.game_state.request is None

    def returns(self) -> list[float]:
        """Return the utility of each player."""
        result = self.game_state.result
        if result is None or result == "draw":
            return [0.0, 0.0]
        return [1.0 if seat == result else -1.0 for seat in SEATS]

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that a player did and was told, in order."""
        player = self.current_player() if player is None else player
        return f"{player}: {'; '.join(self.told[player])}"

    def __str__(self) -> str:
        """Return what both players know."""
        return "\n".join(self.information_state_string(player) for player in range(2))


class Observer:
    """Writes what a player sees into ``tensor``, and as text.

    Attributes:
        tensor: What was written last, a row of numbers from 0 to 1.
        dict: The same by name.
    """

    def __init__(self, rules: Rules, iig_obs_type: Any) -> None:  # noqa: ANN401 - no types
        self._perfect_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        shapes = {
            "board": (SANK + 1, rules.rows, rules.columns),
            "own": (rules.rows, rules.columns),
            "incoming": (rules.rows, rules.columns),
            "sunk": (reported_sunk(rules),),
            "placing": (1,),
        }
        self._most_sunk = 1 if rules.sinkings == "named" else rules.cells
        sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        self.dict: dict[str, Any] = {}
        begin_at = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[begin_at : begin_at + sizes[name]].reshape(shape)
            begin_at += sizes[name]

    def set_from(self, state: SalvoState, player: int) -> None:
        """Write what a player sees."""
        for name, values in self._seen(state, player).items():
            self.dict[name][...] = values

    def string_from(self, state: SalvoState, player: int) -> str:
        """Return what a player sees as text."""
        if self._perfect_recall:
            return state.information_state_string(player)
        sight = state.sights[player]
        arrays = {"board": sight.board} | _own(state, player)
        boards = (
            "/".join("".join(_SIGNS[name][cell] for cell in row) for row in array)
            for name, array in arrays.items()
        )
        return f"{player}: {' '.join(boards)} {','.join(map(str, sight.sunk))}"

    def _seen(self, state: SalvoState, player: int) -> dict[str, Any]:
        sight = state.sights[player]
        states = np.arange(SANK + 1)[:, None, None]
        placing = isinstance(state.game_state.request, PlaceRequest)
        return {
            "board": sight.board[None] == states,
            "sunk": sight.sunk / self._most_sunk,
            "placing": float(placing),
        } | _own(state, player)


def _own(state: SalvoState, player: int) -> dict[str, Any]:
    return own_sea(state.game_state, SEATS[player], state.placings[player].taken)


def _player(request: Request) -> int:
    return SEATS.index(request.seat)


def _sunk(report: CellsReport) -> str:
    sunk = report.sunk
    return str(sunk) if isinstance(sunk, int) else ",".join(sunk or ()) or "none"
