"""Names that look alike and are not the same, of columns, systems, emotions and levels.

A table of results shows them alike, and a program that drops spaces takes one for the other.
"""

import unicodedata
from collections.abc import Iterable

UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that nobody sees, although they count as letters or marks."""


def as_seen(name: object) -> str:
    """Return a name as a reader sees it: numbers as text, one space for any space, and nothing invisible."""
    text = str(name)
    if not (text.isascii() and text.isprintable()):
        text = "".join(character for character in unicodedata.normalize("NFC", text) if not _is_unseen(character))
    return " ".join(text.split())


def _is_unseen(character: str) -> bool:
    if character.isspace():
        return False
    # Marks that choose a variant of the letter before them are "Mn", as accents are.
    variant = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return variant or character in UNSEEN or unicodedata.category(character) in ("Cf", "Cc")


def refuse_lookalikes(names: Iterable[object], what: str, error: type[Exception], where: str = "") -> None:
    """Refuse two different names that look alike, such as ``joy`` and ``joy `` or ``1`` and ``"1"``.

    Parameters
    ----------
    names : iterable
        The names; a name may come several times.
    what : str
        What they name, in the plural.
    error : type
        What is raised; its message names both.
    where : str
        Begins the message.
    """
    first: dict[str, object] = {}
    for name in names:
        other = first.setdefault(as_seen(name), name)
        if type(other) is not type(name) or other != name:
            both = " and ".join(_quoted(each, beside) for each, beside in ((other, name), (name, other)))
            raise error(
                f"{where}the {what} {both} look alike: they differ only in spaces, in characters that nobody sees, or "
                "in type. Write them in one way if they are the same, else rename one"
            )


def _quoted(name: object, beside: object) -> str:
    """Return a name in quotes, written so that the difference is seen."""
    text = str(name)
    if not isinstance(name, str):
        return f"{text!r} ({type(name).__name__})"
    return ascii(text) if as_seen(repr(text)) == as_seen(repr(beside)) else repr(text)
