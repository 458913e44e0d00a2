"""Write the golden transcripts anew: ``python tests/transcripts/make.py [PRESET...]``.

Do so only when a rule was changed on purpose, and read the difference before you commit it. A
transcript is one game of a preset between two seats that choose at random from a constant seed:
each step has what was asked, what was done, and what was told of it.
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from arena.rules import (
    PRESETS,
    Action,
    Answer,
    AnswerRequest,
    Move,
    MoveRequest,
    Place,
    PlaceRequest,
    Rules,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin,
    cells_of,
    draw,
    legal_moves,
    name_layout,
    other,
)

FOLDER = Path(__file__).parent
SEED = 20091


def choose(state: State, random: Random) -> Action:
    """Return something legal, drawn at random."""
    rules, request = state.rules, state.request
    assert request is not None
    own, target = state.waters.of(request.seat), state.waters.of(other(request.seat))
    match request:
        case PlaceRequest():
            return Place(name_layout(rules, draw(rules, random)))
        case ShootRequest(_, shots):
            assert target is not None
            closed = 0 if rules.reshoot else target.shot
            cells = [cell for cell in range(rules.cells) if not closed >> cell & 1]
            return Shoot(random.sample(cells, shots))
        case MoveRequest():
            assert own is not None
            number, mask = random.choice(legal_moves(rules, own))
            return random.choice([Move(None), Move(rules.fleet[number].name, cells_of(mask))])
        case AnswerRequest(_, _, hits, _, _):
            return Answer(hits)


def transcript(rules: Rules) -> dict[str, Any]:
    """Return one whole game."""
    random = Random(SEED)
    state = begin(rules)
    steps = []
    while state.request is not None:
        request, before = state.request, state.salvo
        action = choose(state, random)
        state = apply(state, action)
        salvo = state.salvo if state.salvo is not before else None
        steps.append(
            {
                "asked": msgspec.to_builtins(request),
                "does": msgspec.to_builtins(action),
                "told": msgspec.to_builtins(salvo.report) if salvo else None,
            }
        )
    ends = {"result": state.result, "ending": state.ending}
    return {"rules": msgspec.to_builtins(rules), "steps": steps, **ends}


def write(name: str) -> None:
    """Write the transcript of a preset, a step a line."""
    game = transcript(PRESETS[name][0])
    steps = ",\n".join(json.dumps(step) for step in game.pop("steps"))
    rest = json.dumps(game, indent=1)
    text = f'{rest[:-2]},\n "steps": [\n{steps}\n]}}\n'
    (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for preset_name in sys.argv[1:] or PRESETS:
        write(preset_name)
