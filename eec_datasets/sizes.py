"""How large every config is: counted where its sentences are rendered, and kept in ``locales/sizes.json``.

Rendering every config takes seconds. So what was counted is kept with a digest of the files that it was counted from,
and is counted anew wherever these files differ.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_bias.shared import counted
from eec_datasets.corpora import configs_of, tags_asked
from eec_datasets.errors import LocaleError, Place, Problem, RenderError
from eec_datasets.locale.reading import corpus_facts, files_of, load_locale, locales_folder, tags

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE = "sizes.json"
"""Stands beside the languages."""

NOT_COUNTED = ("expected.csv", "questions.csv", "anchors.toml", "anchor-words.csv")
"""Files of a language that none of its sentences comes from."""


@dataclass(frozen=True, slots=True)
class ConfigSize:
    """How large a config is, and what is said of it; see the properties of `eec_datasets.Config`."""

    name: str
    language: str
    rows: int
    axes: list[str]
    persons_per_cell: dict[str, int]
    review: str
    about: str


@dataclass(frozen=True, slots=True)
class LanguageSizes:
    """The sizes of a language's configs, in file order.

    Attributes
    ----------
    files : digest of the files that they were counted from.
    left_out : why a config has no size, a sentence each.
    """

    files: str
    configs: tuple[ConfigSize, ...]
    left_out: tuple[str, ...] = ()


def sizes(languages: Sequence[str] = (), *, root: str | Path | None = None) -> tuple[list[ConfigSize], list[str]]:
    """The size of every config, and a sentence for each locale or config that is left out.

    Parameters
    ----------
    languages : only these; default all.
    root : folder of locales, if not the one that comes with the package.

    Raises
    ------
    UnknownConfig : there is no locale for a language asked for.
    LocaleError : a language asked for, ``corpus.toml`` or ``sizes.json`` cannot be read.
    """
    folder = Path(root) if root else locales_folder()
    corpus_facts(folder)
    kept = _kept(folder / FILE)
    found: list[ConfigSize] = []
    left_out: list[str] = []
    for tag in tags_asked(languages, folder):
        language = kept.get(tag)
        if language is None or language.files != digest_of(folder / tag):
            try:
                language = count(tag, folder)
            except LocaleError as error:
                if languages:
                    raise
                problems = counted(len(error.problems), "problem")
                left_out.append(f"locale '{tag}' is left out: {problems}. See: eec locale check {tag}")
                continue
        found += language.configs
        left_out += language.left_out
    return found, left_out


def count(tag: str, root: Path) -> LanguageSizes:
    """The sizes of a language's configs, each of which is rendered.

    Raises
    ------
    LocaleError : its files cannot be read.
    """
    found, left_out = [], []
    for config in configs_of(load_locale(tag, root), root):
        try:
            found.append(
                ConfigSize(
                    name=config.name,
                    language=config.language,
                    rows=config.rows,
                    axes=list(config.axes),
                    persons_per_cell=dict(config.persons_per_cell),
                    review=config.review,
                    about=config.about,
                )
            )
        except RenderError as error:
            left_out.append(f"{config.name} is left out: {error}")
    return LanguageSizes(digest_of(root / tag), tuple(found), tuple(left_out))


def digest_of(folder: Path) -> str:
    """A digest of the files that a language's sentences and its review come from."""
    digest = hashlib.sha256()
    for path in files_of(folder):
        if path.name in NOT_COUNTED:
            continue
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def sizes_file(root: Path) -> str:
    """What ``sizes.json`` must hold for a folder of locales: a language whose sentences all render has its sizes in it.

    Raises
    ------
    LocaleError : a language cannot be read.
    """
    languages = []
    for tag in tags(root):
        found = count(tag, root)
        if not found.left_out:
            # A line for each config: a change shows as one.
            lines = ",\n".join(f"  {json.dumps(asdict(config), ensure_ascii=False)}" for config in found.configs)
            languages.append(f'"{tag}": {{"files": "{found.files}", "configs": [\n{lines}\n]}}')
    return "{\n" + ",\n".join(languages) + "\n}\n"


def _kept(path: Path) -> Mapping[str, LanguageSizes]:
    """What the file holds, by language; nothing where there is no file."""
    if not path.exists():
        return {}
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return {
            tag: LanguageSizes(entry["files"], tuple(ConfigSize(**config) for config in entry["configs"]))
            for tag, entry in content.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        what = f"it is not as eec locale sizes writes it ({error})"
        raise LocaleError(FILE, [Problem(Place(FILE, line), what, "Write it anew: eec locale sizes")]) from error
