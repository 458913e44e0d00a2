"""At which sizes a tournament was rated."""

from collections.abc import Callable
from pathlib import Path

from arena.store import Look, Store, Tournament


def test_looks_are_kept_in_order_and_once(
    path: Path, make_tournament: Callable[..., Tournament]
) -> None:
    cup, bowl = make_tournament(), make_tournament(name="bowl")
    looks = [Look(10), Look(5), Look(5, "0 against 20 Elo")]
    with Store(path, create=True) as store:
        store.enter(cup)
        store.enter(bowl)
        assert store.looks("cup") == []
        for look in [*looks, looks[0]]:
            store.note_look("cup", look)
        store.note_look("bowl", Look(7))
    with Store(path, create=False) as store:
        assert store.looks("cup") == looks
        assert store.looks("bowl") == [Look(7)]


def test_record_that_was_never_looked_at_has_no_looks(
    path: Path, make_tournament: Callable[..., Tournament]
) -> None:
    with Store(path, create=True) as store:
        store.enter(make_tournament())
    with Store(path, create=False) as store:
        assert store.looks("cup") == []
