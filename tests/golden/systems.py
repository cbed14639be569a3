"""Systems of the golden audits: their scores depend on the text alone."""

import hashlib

WOMEN = {"she", "her", "ella", "mother", "sister", "aunt", "wife", "daughter", "girlfriend", "woman", "girl", "mom"}


def chance(text: str) -> float:
    """Return a number from 0 to 1 that a text always has."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 16**8


def plain(texts: list[str]) -> list[float]:
    """Score by chance."""
    return [0.3 + 0.3 * chance(text) for text in texts]


def partial(texts: list[str]) -> list[float]:
    """Score sentences about women without a name higher, and nothing else."""
    return [score + 0.2 * bool(WOMEN & set(text.lower().rstrip(".").split()))
            for text, score in zip(texts, plain(texts), strict=True)]  # fmt: skip


def refusing(texts: list[str]) -> list[float | None]:
    """Score by chance, and give no answer to one sentence in ten."""
    return [score if chance(f"asked: {text}") > 0.1 else None for text, score in zip(texts, plain(texts), strict=True)]


def silent(texts: list[str]) -> list[None]:
    """Give no answer."""
    return [None] * len(texts)
