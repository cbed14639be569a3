"""Numbers as text, for reports and tables."""


def signed(value: float | None) -> str:
    """Number with sign and four decimals; a dash for none."""
    return "–" if value is None else f"{value:+.4f}"


def plain(value: float | None) -> str:
    """Number with four decimals; a dash for none."""
    return "–" if value is None else f"{value:.4f}"


def p_value(value: float | None) -> str:
    """p with three decimals, small ones as a bound; a dash for none."""
    if value is None:
        return "–"
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0") if value < 1 else "1"


def p_is(value: float) -> str:
    """p for running text: ``= .012`` or ``< .001``."""
    text = p_value(value)
    return f"< {text[1:]}" if text.startswith("<") else f"= {text}"
