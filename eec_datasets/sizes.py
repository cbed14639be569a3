"""Size of every config: counted from its rendered sentences, and kept in ``locales/sizes.json``.

Rendering every config takes seconds. So the counts are kept with a digest of the files that they come from. A language
is counted again if its files differ. `eec locale check` brings ``sizes.json`` up to date.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eec_bias.shared import counted, write_over
from eec_datasets.corpora import configs_of, tags_asked
from eec_datasets.errors import FileProblems, RenderError
from eec_datasets.locale.reading import corpus_facts, files_of, load_locale, locales_folder, tags

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE = "sizes.json"
"""Stands beside the languages."""

NOT_COUNTED = ("expected.csv", "questions.csv", "anchors.toml", "anchor-words.csv")
"""Files of a language that none of its sentences comes from."""


@dataclass(frozen=True, slots=True)
class ConfigSize:
    """The size of a config, with a description; see the properties of `eec_datasets.Config`."""

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
    InputError : there is no locale for a language asked for.
    FileProblems : a language asked for, or ``corpus.toml``, cannot be read.
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
            except FileProblems as error:
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
    FileProblems : its files cannot be read.
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
    """Return what ``sizes.json`` must hold for a folder of locales: the languages whose sentences all render.

    Languages whose files are as they were are not counted again.
    """
    kept, languages = _kept(root / FILE), []
    for tag in tags(root):
        found = kept.get(tag)
        if found is None or found.files != digest_of(root / tag):
            try:
                found = count(tag, root)
            except FileProblems:
                continue
        if not found.left_out:
            # A line for each config: a change shows as one.
            lines = ",\n".join(f"  {json.dumps(asdict(config), ensure_ascii=False)}" for config in found.configs)
            languages.append(f'"{tag}": {{"files": "{found.files}", "configs": [\n{lines}\n]}}')
    return "{\n" + ",\n".join(languages) + "\n}\n"


def bring_up_to_date(root: Path) -> Path | None:
    """Write ``sizes.json`` again if a folder of locales has one that is out of date, and return its path if it was.

    Raises
    ------
    OutputError : it cannot be written.
    """
    path = root / FILE
    if not path.exists():
        return None
    text = sizes_file(root)
    if path.read_text(encoding="utf-8") == text:
        return None
    write_over({path: text})
    return path


def _kept(path: Path) -> Mapping[str, LanguageSizes]:
    """Return what the file holds, by language; nothing if there is no file, or a damaged one."""
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return {
            tag: LanguageSizes(entry["files"], tuple(ConfigSize(**config) for config in entry["configs"]))
            for tag, entry in content.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}
