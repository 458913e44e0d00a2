"""Offers PettingZoo the whole game, two seats in turns."""

import sys
from random import Random
from typing import Any, ClassVar, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from arena.environments.action_checks import checked_action
from arena.environments.board_pictures import paint_board, paint_own, side_by_side
from arena.environments.bot_seat import BotPool, BotSeat, Opponents
from arena.environments.fleet_placement import Placing
from arena.environments.observation_forms import ObservationForm, Showing
from arena.environments.sight import (
    SEATS,
    SEEDS,
    Cells,
    RenderMode,
    Sight,
    draw_board,
    duel_space,
    own_sea,
    rules_to_learn,
)
from arena.environments.solo_boards import Flags
from arena.errors import IllegalActionError
from arena.isolation import AUTO
from arena.rules import (
    CellsReport,
    Place,
    PlaceRequest,
    Request,
    Rules,
    Seat,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin,
    draw,
    name_layout,
    other,
)

Placement = Literal["drawn", "actions"]
"""Layouts are drawn by the arena, or placed ship by ship by each seat's first actions."""


class DuelEnv(AECEnv):  # type: ignore[misc] # PettingZoo ships no types
    """Two seats shoot at each other's fleets until one is sunk.

    An action is a cell, row by row from 0; the cells of a salvo are chosen one after another. Where
    ships are placed by actions, each seat first places its fleet in the order of the rules: action
    ``cell`` lays the next ship along the row from that cell, ``cells + cell`` down the column. The
    winner's reward is 1, the loser's -1, a draw's 0; there are no others.

    Observations have ``action_mask``, as ``infos`` do, and ``observation``: what was reported of
    the other's board (``board`` and, where sinkings are reported, ``sunk``; see
    ``arena.environments.sight``), and the seat's own: ``own``, 1 where its ships lie, and
    ``incoming``, 1 for each cell shot at it; or, by ``observations``, the same as "planes" or
    "flat". A seat whose turn it is not has no legal action; when the game is over all are.

    With an ``opponent``, a bot sits in ``bot_seat`` and places its own fleet, and only the other
    seat is an agent; opponents, ``isolation``, faults and errors are those of ``AgainstBotEnv``.

    ``render_mode`` "ansi" returns what both seats see as text, "human" writes it to standard
    output, "rgb_array" returns a picture of all four boards.

    Raises:
        RulesError: If a board cannot show what the rules report.
        UserError: If there is no such form of observations.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "salvo_duel_v0",
        "render_modes": ["ansi", "human", "rgb_array"],
        "render_fps": 4,
        "is_parallelizable": False,
    }

    def __init__(  # noqa: PLR0913, PLR0917 - as ``AgainstBotEnv``
        self,
        rules: Rules | str = "salvo",
        placement: Placement = "drawn",
        render_mode: RenderMode = None,
        opponent: Opponents | None = None,
        bot_seat: Seat = "second",
        isolation: str = AUTO,
        observations: ObservationForm = "dict",
    ) -> None:
        super().__init__()
        self.rules = rules_to_learn(rules)
        self.placement = placement
        self.render_mode = render_mode
        self.possible_agents = [seat for seat in SEATS if opponent is None or seat != bot_seat]
        self._pool = None if opponent is None else BotPool(opponent, self.rules, isolation)
        self._bot: BotSeat | None = None
        self._bot_seat = bot_seat
        cells = self.rules.cells
        self._actions = 2 * cells if placement == "actions" else cells
        mask = spaces.Box(0, 1, (self._actions,), np.int8)
        self._showing = Showing(duel_space(self.rules), observations)
        seen = self._showing.space
        self._observation_space = spaces.Dict({"observation": seen, "action_mask": mask})
        self._action_spaces = {seat: spaces.Discrete(self._actions) for seat in SEATS}
        self._random, _ = seeding.np_random()
        self._state: State | None = None

    def observation_space(self, agent: Seat) -> spaces.Space[dict[str, Any]]:
        """Return the space of a seat's observations."""
        del agent  # both seats see alike
        return self._observation_space

    def action_space(self, agent: Seat) -> spaces.Space[Any]:
        """Return the space of a seat's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; options are ignored, as PettingZoo's own test of the interface asks."""
        del options
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
            if self._pool is not None:
                self._pool.renew()
        if self._pool is not None:
            self._bot = self._pool.drawn(self._random)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._sights = {seat: Sight(self.rules) for seat in SEATS}
        self._placings = {seat: Placing(self.rules) for seat in SEATS}
        self._state = begin(self.rules)
        if self._bot is not None:
            self._bot.begin(self._bot_seat, int(self._random.integers(SEEDS)))
        self._let_the_bot_act()
        if self.placement == "drawn":
            for _ in self.agents:
                layout = draw(self.rules, Random(int(self._random.integers(SEEDS))))
                self._state = apply(self.state_of_game, Place(name_layout(self.rules, layout)))
                self._let_the_bot_act()
        self.agent_selection = self.agents[0]
        if self._is_over():
            self._end()
        self.infos = self._infos()

    def step(self, action: int | None) -> None:
        """Place the next ship, or choose the next cell of the salvo, as ``agent_selection``.

        Raises:
            IllegalActionError: If ``action_mask`` has 0 for the action, there is no such action, or
                the game has not begun.
        """
        if self._state is None:
            raise IllegalActionError("the game has not begun; reset the environment first")
        seat = self.agent_selection
        if self.terminations[seat] or self.truncations[seat]:
            self._was_dead_step(action)
            return
        action = checked_action(action, self._actions)
        if not self._mask(seat)[action]:
            raise IllegalActionError(
                f"seat {seat}: action {action} is not legal; action_mask has 1 for those that are"
            )
        self._cumulative_rewards[seat] = 0.0
        self._clear_rewards()
        if isinstance(self._request, PlaceRequest):
            self._place(seat, action)
        else:
            self._shoot(seat, action)
        self._let_the_bot_act()
        if self._is_over():
            self._end()
        else:
            self.agent_selection = self._request.seat
        self._accumulate_rewards()
        self.infos = self._infos()
        if self.render_mode == "human":
            sys.stdout.write(self._text())

    def observe(self, agent: Seat) -> dict[str, Any]:
        """Return what a seat knows."""
        seen = self._sights[agent].observation() | self._sea(agent)
        return {"observation": self._showing(seen), "action_mask": self._mask(agent)}

    def action_masks(self) -> Flags:
        """Return which actions ``agent_selection`` may take."""
        return self._mask(self.agent_selection).astype(np.bool_)

    def render(self) -> Any:  # noqa: ANN401 - as the mode has it
        """Return what both seats see as text where ``render_mode`` is "ansi", or a picture."""
        if self.render_mode == "rgb_array":
            boards = [
                board
                for seat in SEATS
                for board in (paint_own(**self._sea(seat)), paint_board(self._sights[seat].board))
            ]
            return side_by_side(*boards)
        return self._text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the bots, if there are any."""
        if self._pool is not None:
            self._pool.close()

    @property
    def state_of_game(self) -> State:
        """Return the game as the rules have it: both layouts, which neither seat sees."""
        assert self._state is not None, "reset it first"
        return self._state

    @property
    def _request(self) -> Request:
        request = self.state_of_game.request
        assert request is not None
        return request

    def _sea(self, seat: Seat) -> dict[str, Cells]:
        return own_sea(self.state_of_game, seat, self._placings[seat].taken)

    def _place(self, seat: Seat, action: int) -> None:
        placing = self._placings[seat]
        placing.lay(action)
        if placing.complete:
            self._state = apply(self.state_of_game, Place(name_layout(self.rules, placing.layout)))

    def _shoot(self, seat: Seat, cell: int) -> None:
        request = self._request
        assert isinstance(request, ShootRequest)
        sight = self._sights[seat]
        cells = (*sight.chosen, cell)
        if len(cells) < request.shots:
            sight.choose(cell)
            return
        self._state = apply(self.state_of_game, Shoot(cells))
        salvo = self.state_of_game.salvo
        assert salvo is not None
        assert isinstance(salvo.report, CellsReport)
        sight.hear(salvo.cells, salvo.report)
        if self._bot is not None:
            self._bot.hear(salvo.cells)

    def _let_the_bot_act(self) -> None:
        if self._bot is not None:
            self._state = self._bot.act(self.state_of_game)

    def _is_over(self) -> bool:
        failed = self._bot is not None and self._bot.fault is not None
        return failed or self.state_of_game.request is None

    def _end(self) -> None:
        result = self.state_of_game.result
        void = False
        if self._bot is not None:
            self._bot.end(self.state_of_game)
            void = self._bot.is_void
            if self._bot.fault is not None:
                result = "draw" if void else other(self._bot_seat)
        for seat in self.possible_agents:
            self.terminations[seat], self.truncations[seat] = not void, void
            if result != "draw":
                self.rewards[seat] = 1.0 if result == seat else -1.0
        if self._bot is None:
            # The other seat learns of the end first, then the one that acted.
            self.agent_selection = other(self.agent_selection)

    def _infos(self) -> dict[Seat, dict[str, Any]]:
        fault = None if self._bot is None else self._bot.fault
        also = {} if self._bot is None else {"opponent": self._bot.name}
        also |= {} if fault is None else {"fault": fault.reason}
        return {seat: {"action_mask": self._mask(seat)} | also for seat in self.agents}

    def _mask(self, seat: Seat) -> Cells:
        mask: Cells = np.zeros(self._actions, dtype=np.int8)
        request = self.state_of_game.request
        if self._is_over() or request is None:
            return np.ones_like(mask)
        if request.seat != seat:
            return mask
        if isinstance(request, PlaceRequest):
            mask[self._placings[seat].legal()] = 1
        else:
            mask[: self.rules.cells] = self._sights[seat].mask()
        return mask

    def _text(self) -> str:
        return "".join(f"{seat}:\n{draw_board(self._sights[seat].board)}\n" for seat in SEATS)
