"""Numbers as text, the same everywhere: three significant digits, and one form of p."""

from decimal import Decimal

NONE = "–"
"""Stands for a number that does not exist."""

WRITTEN_OUT = (1e-6, 1e9)
"""From one size to the other numbers have no exponent."""


def rounded(value: float | None) -> str:
    """Three significant digits, whatever the scale: ``0.0123``, ``0.0000123``, ``12.3``; a dash for none."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    rounded = f"{value:.2e}"
    return f"{Decimal(rounded):f}" if WRITTEN_OUT[0] <= abs(value) < WRITTEN_OUT[1] else rounded


def signed(value: float | None) -> str:
    """Three significant digits and a sign; a dash for none."""
    return f"+{rounded(value)}" if value is not None and value > 0 else rounded(value)


def decimals(value: float | None, places: int = 3) -> str:
    """A fixed number of decimals, as articles print them; what would round to 0 gets three significant digits."""
    if value is None:
        return NONE
    text = f"{value + 0.0:.{places}f}"
    return text if float(text) or not value else rounded(value)


def interval(low: float | None, high: float | None) -> str:
    """Both ends of an interval; a dash for none."""
    return NONE if low is None or high is None else f"[{signed(low)}, {signed(high)}]"


def p_below(value: float) -> float | None:
    """The bound to write instead of a p that three decimals would round to 0, or to .050 although it is below; None."""
    if value < 0.001:
        return 0.001
    return 0.05 if 0.0495 <= value < 0.05 else None


def percent(share: float) -> str:
    """Write a share in per cent with the digits it needs: ``95 %``, ``99.5 %``."""
    return f"{100 * share:.6g} %"


def level(alpha: float) -> str:
    """Write a level without the zero before its point: ``.05``."""
    return f"{alpha:.6g}".removeprefix("0")


def p_value(value: float | None) -> str:
    """p for a column of its own: ``.012``, ``< .001``; a dash for none."""
    if value is None:
        return NONE
    if (bound := p_below(value)) is not None:
        return f"< {bound:.3f}".replace("0.", ".")
    if value >= 1:
        return "1"
    return "> .999" if value > 0.999 else f"{value:.3f}".removeprefix("0")


def p_is(value: float | None, name: str = "p") -> str:
    """p for running text: ``p = .012``, ``p < .001``; ``p –`` for none."""
    text = p_value(value)
    return f"{name} {text}" if text[0] in "<>–" else f"{name} = {text}"


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """A number of things: ``1 item``, ``144 items``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
