"""Draws small SVG figures that need no script and no style of their own."""

from collections.abc import Sequence

from markupsafe import Markup

_WIDE, _HIGH, _EDGE = 600, 180, 34


def bar(ends: tuple[int, int, int]) -> Markup:
    """Return a rating and its interval on the scale of all ratings."""
    low, middle, high = ends
    return Markup(  # noqa: S704 - whole numbers alone
        '<svg class="bar" viewBox="-20 0 1040 40" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="range" d="M{low} 20H{max(high, low + 4)}"/>'
        f'<path class="middle" d="M{middle} 6V34"/></svg>'
    )


def history(points: Sequence[tuple[int, float, float, float]]) -> Markup:
    """Return how a rating went from version to version, with its intervals."""
    least = min(low for _, _, low, _ in points)
    most = max(high for *_, high in points)
    scale = (_HIGH - 2 * _EDGE) / max(most - least, 1.0)

    def x(place: int) -> float:
        return _EDGE * 2 + place * (_WIDE - 3 * _EDGE) / max(1, len(points) - 1)

    def y(elo: float) -> float:
        return _HIGH - _EDGE - (elo - least) * scale

    path = "L".join(f"{x(place):.1f} {y(elo):.1f}" for place, (_, elo, *_) in enumerate(points))
    marks = "".join(
        f'<path class="range" d="M{x(place):.1f} {y(low):.1f}V{y(high):.1f}"/>'
        f'<circle cx="{x(place):.1f}" cy="{y(elo):.1f}" r="5"/>'
        f'<text x="{x(place):.1f}" y="{_HIGH - 8}">{version}</text>'
        for place, (version, elo, low, high) in enumerate(points)
    )
    axis = "".join(
        f'<text class="axis" x="{_EDGE + 14}" y="{y(elo) + 4:.1f}">{elo:.0f}</text>'
        for elo in (least, most)
    )
    return Markup(  # noqa: S704 - numbers alone
        f'<svg class="history" viewBox="0 0 {_WIDE} {_HIGH}" role="img" '
        'aria-label="Elo by version, with its 95% interval">'
        f'<path class="line" d="M{path}"/>{marks}{axis}</svg>'
    )
