from collections.abc import Callable
from typing import Any

import pytest

from arena.player import Fault, News, RemotePlayer, Starved
from arena.player.meter import BACKSTOP_FACTOR, BACKSTOP_S, LOOK_S, MOMENT_S
from arena.protocol import PROTOCOL_VERSION, Game, Hello, Introduction, Limits, ShootSalvo, Shots
from arena.records import Termination
from arena.rules import ShootRequest, preset, view

# The settings of the player fixture: 5 s to load, 1 s for a move, 10 s for a game.
GAME = Game(view(preset("salvo")), "first", 7, solo=False, limits=Limits(1, 10, 5))
SHOOT = ShootRequest("first", 2)
BACKSTOP = BACKSTOP_FACTOR * 1 + BACKSTOP_S

FaultOf = Callable[[Callable[[], object]], tuple[Termination, str]]
Script = Any  # the transport that conftest makes
Ask = Callable[..., float]


def shots(message: ShootSalvo) -> Shots:
    return Shots(message.id, (4, 5))


@pytest.fixture
def ask(transport: Script, started: RemotePlayer) -> Ask:
    """Return what asks for shots that come as told, and returns the charge."""
    transport.expect(Game)
    started.begin(GAME)

    def ask(after_s: float, **how: object) -> float:
        transport.expect(ShootSalvo, shots, after_s=after_s, **how)
        return started.ask(SHOOT, News()).charge_s

    return ask


def test_charge_is_the_time_from_request_to_answer(ask: Ask) -> None:
    assert ask(0.25) == pytest.approx(0.25)


def test_time_left_is_sent_with_every_request(transport: Script, ask: Ask) -> None:
    ask(0.25)
    ask(0.5)
    ask(0)
    assert [m.time_left_s for m in transport.heard if isinstance(m, ShootSalvo)] == [10, 9.75, 9.25]


def test_every_game_has_its_own_bank(transport: Script, started: RemotePlayer, ask: Ask) -> None:
    ask(0.9)
    transport.expect(Game)
    started.begin(GAME)
    ask(0)
    assert transport.heard[-1].time_left_s == 10


def test_late_answer_is_a_timeout_that_names_the_budget(ask: Ask, fault_of: FaultOf) -> None:
    reason = "did not answer in time (1 s for a move)"
    assert fault_of(lambda: ask(1.1)) == (Termination.TIMEOUT, reason)


def test_budget_may_be_used_to_the_end(ask: Ask) -> None:
    assert ask(0.999) == pytest.approx(0.999)


def test_bank_that_is_used_up_is_a_timeout_that_names_it(ask: Ask, fault_of: FaultOf) -> None:
    for _ in range(10):
        ask(0.95)
    reason = "did not answer in time (0.5 s, all that was left of the 10 s for a game)"
    assert fault_of(lambda: ask(0.6)) == (Termination.TIMEOUT, reason)


def test_silence_is_found_out_when_the_budget_is_used_up(
    transport: Script, ask: Ask, fault_of: FaultOf
) -> None:
    begun = transport.now_s
    fault_of(lambda: ask(100))
    assert transport.now_s - begun == pytest.approx(1)


def test_wait_for_a_processor_is_not_charged(ask: Ask) -> None:
    assert ask(0.8, waiting=0.75, running=0.25) == pytest.approx(0.2, abs=MOMENT_S)


def test_what_is_answered_in_a_moment_is_charged_as_it_is(ask: Ask) -> None:
    assert ask(0.0009, waiting=0.5) == pytest.approx(0.0009)


def test_starved_bot_may_answer_after_its_budget(ask: Ask) -> None:
    assert ask(6, waiting=0.9, running=0.1) == pytest.approx(0.6, abs=MOMENT_S)


def test_starved_bot_that_sleeps_as_well_pays_for_that(ask: Ask, fault_of: FaultOf) -> None:
    assert fault_of(lambda: ask(6, waiting=0.5, running=0.1))[0] is Termination.TIMEOUT


def test_wait_that_has_not_ended_yet_is_not_charged_either(ask: Ask) -> None:
    assert ask(0, spans=(("wait", 3), ("run", 0.01))) == pytest.approx(0.01, abs=MOMENT_S)


def test_second_wait_that_has_not_ended_yet_is_not_charged_either(ask: Ask) -> None:
    spans = (("wait", 1.2), ("run", 0.1), ("wait", 2.5), ("run", 0.1))
    assert ask(0, spans=spans) == pytest.approx(0.2, abs=MOMENT_S)


def test_wait_before_an_arena_that_wakes_up_late_first_looks_is_not_charged(ask: Ask) -> None:
    spans = (("wait", 0.85), ("run", 0.1), ("wait", 1), ("run", 0.1))
    assert ask(0, spans=spans, late_s=(0.9,)) <= 0.2


def test_wait_of_which_an_arena_that_wakes_up_late_sees_more_than_it_awaited_is_not_charged(
    ask: Ask,
) -> None:
    spans = (("run", 0.1), ("wait", 1.4), ("run", 0.1), ("wait", 0.5), ("run", 0.4))
    assert ask(0, spans=spans, late_s=(0, 0.55)) == pytest.approx(0.6, abs=MOMENT_S)


def test_answer_that_came_while_the_arena_did_not_get_to_look_is_not_late(ask: Ask) -> None:
    spans = (("wait", 1.5), ("run", 0.1))
    assert ask(0, spans=spans, late_s=(0, 0, 0.8)) <= 0.1 + LOOK_S


def test_bot_that_gets_its_turn_while_the_arena_looks_is_not_late(ask: Ask) -> None:
    spans = (("wait", 1.2), ("run", 0.1))
    assert ask(0, spans=spans, blinks_s=0.4) == pytest.approx(0.1, abs=MOMENT_S)


@pytest.mark.parametrize("slice_s", [LOOK_S / 10, LOOK_S, 3 * LOOK_S])
@pytest.mark.parametrize("part", [0.01, 0.5, 0.99])
def test_bot_that_sleeps_and_runs_by_turns_gains_a_look_and_no_more(
    transport: Script, ask: Ask, fault_of: FaultOf, slice_s: float, part: float
) -> None:
    begun = transport.now_s
    turn = (("sleep", slice_s * (1 - part)), ("run", slice_s * part))
    turns = round(2 / slice_s)
    assert fault_of(lambda: ask(0, spans=turns * turn))[0] is Termination.TIMEOUT
    assert transport.now_s - begun <= 1 + 2 * LOOK_S


def test_bot_that_runs_on_past_its_budget_is_late(
    transport: Script, ask: Ask, fault_of: FaultOf
) -> None:
    begun = transport.now_s
    assert fault_of(lambda: ask(1.5, running=1))[0] is Termination.TIMEOUT
    assert transport.now_s - begun <= 1 + 2 * LOOK_S


def test_answer_while_a_late_bot_is_looked_at_again_is_late(ask: Ask, fault_of: FaultOf) -> None:
    assert fault_of(lambda: ask(1 + LOOK_S / 2, running=1))[0] is Termination.TIMEOUT


def test_wait_that_never_ends_is_a_fault_of_the_machine(transport: Script, ask: Ask) -> None:
    begun = transport.now_s
    with pytest.raises(Starved):
        ask(0, spans=(("wait", 200),))
    assert transport.now_s - begun == pytest.approx(BACKSTOP, abs=2 * LOOK_S)


def test_charge_does_not_reach_back_into_the_opponents_turn(transport: Script, ask: Ask) -> None:
    ask(0.1)
    transport.now_s += 100
    assert ask(0.5, waiting=0.2) == pytest.approx(0.4, abs=MOMENT_S)


def test_threads_that_wait_for_one_another_earn_nothing(ask: Ask, fault_of: FaultOf) -> None:
    assert fault_of(lambda: ask(3, waiting=48, running=2))[0] is Termination.TIMEOUT


def test_bot_with_processes_of_its_own_gets_its_budget_and_no_more(
    transport: Script, ask: Ask, fault_of: FaultOf
) -> None:
    transport.is_alone = False
    assert fault_of(lambda: ask(2, waiting=0.9, running=0.1))[0] is Termination.TIMEOUT


def test_bot_with_processes_of_its_own_is_charged_for_the_waits_they_cause(
    transport: Script, ask: Ask
) -> None:
    transport.is_alone = False
    assert ask(0.9, waiting=0.8, running=0.2) == pytest.approx(0.9)


def test_wall_time_counts_if_the_system_reports_no_wait(
    transport: Script, ask: Ask, fault_of: FaultOf
) -> None:
    transport.times = None
    ask(0)
    assert ask(0.8) == pytest.approx(0.8)
    assert fault_of(lambda: ask(1.1))[0] is Termination.TIMEOUT


def test_wait_from_before_that_appears_at_once_buys_one_budget_at_the_most(
    transport: Script, ask: Ask, fault_of: FaultOf
) -> None:
    begun = transport.now_s
    assert fault_of(lambda: ask(100, leap_s=1000))[0] is Termination.TIMEOUT
    assert transport.now_s - begun <= 2


def test_patience_ends_with_a_fault_of_the_machine(transport: Script, ask: Ask) -> None:
    begun = transport.now_s
    with pytest.raises(Starved, match=r"did not answer in 11 s, of which it was charged 0\.012 s"):
        ask(100, waiting=0.999, running=0.001)
    assert transport.now_s - begun == pytest.approx(BACKSTOP)


def test_bot_starved_while_it_loads_is_not_at_fault_either(
    transport: Script, player: RemotePlayer
) -> None:
    transport.times = (0.0, 0.0)
    transport.expect(Hello, waiting=1.0)
    with pytest.raises(Starved) as caught:
        player.start()
    assert caught.value.termination is Termination.UNSTARTED


def test_wait_from_the_first_moment_on_is_not_charged(
    transport: Script, player: RemotePlayer
) -> None:
    transport.times = (0.0, 0.0)
    introduction = Introduction(protocol=PROTOCOL_VERSION, name="x")
    transport.expect(Hello, introduction, after_s=20, waiting=0.9, running=0.1)
    player.start()
    assert player.introduction == introduction


@pytest.mark.parametrize("asleep_s", [0.05, 3])
def test_arena_that_itself_waits_for_a_processor_charges_nobody_for_it(
    ask: Ask, asleep_s: float
) -> None:
    assert ask(0.9, asleep_s=asleep_s) == pytest.approx(0.9)


def test_bot_with_processes_of_its_own_is_charged_wall_time_though_the_arena_waited(
    transport: Script, ask: Ask
) -> None:
    transport.is_alone = False
    assert ask(0.5, asleep_s=0.05) == pytest.approx(0.55)


def test_arena_that_wakes_up_late_charges_no_more_than_the_budget(
    transport: Script, ask: Ask
) -> None:
    transport.is_alone = False
    assert ask(0.9, waiting=0.5, asleep_s=3) == pytest.approx(1)


def test_fault_is_not_dressed_up_as_one_of_the_clock(
    transport: Script, started: RemotePlayer, fault_of: FaultOf
) -> None:
    transport.expect(Game)
    started.begin(GAME)
    transport.expect(ShootSalvo, Fault(Termination.EXITED, "exited with code 1"), after_s=0.1)
    expected = (Termination.EXITED, "exited with code 1")
    assert fault_of(lambda: started.ask(SHOOT, News())) == expected
