"""Texts that stand once, in files a reviewer reads: ``pytest --update-snapshots`` writes them again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from places import TESTS

from eec_datasets.errors import EecError

FOLDER = TESTS / "snapshots"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Compares texts with the files of ``tests/snapshots``."""

    update: bool

    def check(self, name: str, text: str) -> None:
        """Compare a text with ``tests/snapshots/NAME.txt``, or write that file where it was asked for."""
        path = FOLDER / f"{name}.txt"
        text = text.rstrip("\n") + "\n"
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if not path.is_file():
            pytest.fail(f"{path} is missing: write it with --update-snapshots, and read it")
        assert text == path.read_text(encoding="utf-8"), f"differs from {path}; --update-snapshots writes it again"

    def check_refusals(
        self, name: str, calls: Mapping[str, Callable[[], object]], kind: type[Exception], hide: Mapping[str, str] = {}
    ) -> None:
        """Compare what calls are refused with, type and words, with a file; ``hide`` has what differs by machine."""
        told = []
        for title, call in calls.items():
            try:
                call()
            except kind as error:
                text = f"{type(error).__name__}: {error}"
            else:
                pytest.fail(f"{title} was not refused")
            for found, word in hide.items():
                text = text.replace(found, word)
            told.append(f"{title}\n  {text}")
        self.check(name, "\n".join(told))


def refusal(call: Callable[[], object], folder: Path | None = None) -> str:
    """Say which error a call ends with, and its sentence; paths within a folder stand there without it."""
    with pytest.raises(EecError) as error:
        call()
    return f"{type(error.value).__name__}: {error.value}".replace(f"{folder}/", "")
