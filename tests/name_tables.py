"""Tables of names to choose from."""

from __future__ import annotations

from pathlib import Path

HEADER = "name,group,gender,sets,ssa.count,ssa.year,ssa.gender,t18.share,l23.share,flags,refused,note"
RULES = """
schema = 1
[grammar]
female = { gender = "f", number = "sg" }
male = { gender = "m", number = "sg" }
[select]
gender = 0.9
share = 0.5
letters = [3, 11]
words = ["corpus"]
[sets.two]
groups = { Black = "B", white = "W" }
size = 4
match = ["log ssa.count", "letters"]
within = 0.15
"""


def table_rows() -> list[str]:
    """Eight names of each cell; the first four of every cell are borne alike, the last four of W ten times as often."""
    ends = ("", "a", "ab", "abe", "x", "xa", "xab", "xabe")
    rows = []
    for group, gender in (("B", "female"), ("B", "male"), ("W", "female"), ("W", "male")):
        for index, end in enumerate(ends):
            often = (3000 if group == "W" else 30) if index > 3 else 300
            share = "0.9" if index % 2 else ""
            rows.append(f"{group}{gender[0]}an{end},{group},{gender},,{often + 10 * index},1990,1,{share},0.8,,,")
    return rows


def write(root: Path, rows: list[str], header: str = HEADER) -> None:
    """Write the table."""
    (root / "en/names.csv").write_text("\n".join([header, *rows, ""]), encoding="utf-8")


def edit(root: Path, file: str, *changes: tuple[str, str]) -> None:
    """Change texts of a file that are there."""
    path = root / file
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
