"""A user's table of scores: read by id, and everything wrong with it said at once."""

from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from snapshots import Snapshot

from eec_datasets import corpora
from eec_datasets.audit.tables.files import TableOptions
from eec_datasets.audit.tables.scores import Scores, read_scores
from eec_datasets.errors import BadScores
from eec_datasets.systems.score_file import Header, to_text

IDS = [f"t01/angry/{person}" for person in ("maria", "alan", "amanda", "jose")]
TEXTS = [f"{person} feels angry." for person in ("Maria", "Alan", "Amanda", "Jose")]
CORPUS = pa.table({"id": IDS, "text": TEXTS})
DATA = "tiny@1.0.0#00ff"
GOOD = "id,score\n" + "".join(f"{identifier},0.{i}\n" for i, identifier in enumerate(IDS, start=1))
SCORES = [0.1, 0.2, 0.3, 0.4]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "SCORES.csv"


def read(path: Path, content: str | bytes, **options: Any) -> Scores:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    name = options.pop("name", "")
    return read_scores(path, CORPUS, DATA, TableOptions(**options), name=name)


def lists(scores: Scores) -> dict[str, list[Any]]:
    return {name: values.tolist() for name, values in scores.scores.items()}


def beside(*columns: str) -> str:
    """The good file with a further column."""
    return "\n".join(f"{line},{value}" for line, value in zip(GOOD.splitlines(), columns, strict=True))


@pytest.mark.parametrize(
    "content",
    [
        "\n".join(GOOD.splitlines()[i] for i in (0, 4, 2, 1, 3)),
        b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("0.1\n", "0.1\n\n"),
        beside("text", *TEXTS),
        GOOD.replace(",0.", ", 0."),
    ],
    ids=["another order", "byte-order mark", "empty line", "a column of the corpus", "spaces"],
)
def test_scores_are_put_into_the_order_of_the_corpus(path: Path, content: str | bytes) -> None:
    assert lists(read(path, content)) == {"score": SCORES}


def test_every_further_column_is_a_system_unless_some_are_asked_for_and_classes_are_texts(path: Path) -> None:
    content = beside("other", "0.5", "0.25", "0", "1").replace("id,score", "id,ours")
    assert lists(read(path, content)) == {"ours": SCORES, "other": [0.5, 0.25, 0, 1]}
    one = read(path, content, columns=["other"])
    assert one.measured.tolist() == [0.5, 0.25, 0, 1]
    assert lists(read(path, GOOD, outputs="class")) == {"score": ["0.1", "0.2", "0.3", "0.4"]}
    mixed = "id,words,codes\n" + "".join(
        f"{key},{word},{k}\n" for k, (key, word) in enumerate(zip(IDS, "abba", strict=True), 3)
    )
    assert lists(read(path, mixed, outputs="class")) == {"words": list("abba"), "codes": list("3456")}


def test_a_system_without_any_score_is_left_to_the_metric(path: Path) -> None:
    assert read(path, beside("none", *[""] * 4)).scores["none"].tolist() != SCORES


def test_a_declared_range_is_taken_and_a_file_of_the_audit_brings_its_own(path: Path) -> None:
    assert lists(read(path, GOOD.replace("0.3", "3"), score_range=(0.0, 5.0)))["score"][2] == 3
    header = Header("vader", "vaderSentiment==3.3.2", "tiny", DATA, -1.0, 1.0)
    path.write_text(to_text(header, IDS, {"score": [-1.0, -0.5, 0.0, 1.0]}))
    table = read_scores(path, CORPUS, data=DATA)
    assert (table.score_range, lists(table)) == ((-1, 1), {"score": [-1, -0.5, 0, 1]})
    with pytest.raises(BadScores, match=r"the scores are of tiny@1.0.0#00ff, the corpus is tiny@1.0.1#11ee"):
        read_scores(path, CORPUS, data="tiny@1.0.1#11ee")


BAD = {
    "another text": beside("text", *TEXTS[:2], "Amanda feels sad.", TEXTS[3]),
    "missing, unknown, duplicate": f"id,score\n{IDS[0]},0.1\n{IDS[0]},0.2\nt01/angry/eve,0.2\n{IDS[2]},0.3\n",
    "no rows": "id,score\n",
    "no numbers and out of range": f"id,score\n{IDS[0]},n/a\n{IDS[1]},nan\n{IDS[2]},3\n{IDS[3]},0.5\n",
    "of another length": GOOD.replace("jose,0.4", "jose,0,4"),
    "empty": "",
    "another encoding": GOOD.replace("jose", "josé").encode("latin-1"),
    "a row of several lines": f'score,id,note\n0.1,{IDS[0]},"a\nb"\n,{IDS[1]},"a\nb"\n0.3,{IDS[2]},\n0.4,{IDS[3]},\n',
    "a spreadsheet": b"PK\x03\x04\0\0",
    "no id": GOOD.replace("id,", "key,"),
    "two ids": "id,ID,score\n".replace("id", "Id"),
    "two scores": beside("points", "0.5", "0.25", "0", "1"),
    "quotes and spaces": beside("text", "Maria  feels angry.", "“Alan feels angry.”", *TEXTS[2:]),
    "texts with other spaces": "text,score\n" + "".join(f"{text} ,0.5\n" for text in TEXTS),
    "dates": GOOD.replace(IDS[0], "01-abr").replace(IDS[1], "2026-04-01"),
    "half a table": "\n".join(GOOD.splitlines()[:3]),
    "two that could name the system": beside("a,b", *["x,y"] * 4)
    + "\n"
    + beside("a,b", *["v,w"] * 4)[len("id,score,a,b\n") :],
    "thousands": ("id;score\n" + "".join(f"{each};1,234\n" for each in IDS), {"score_range": (0, 5000)}),
    "a comma that is read as a decimal one": "id;score\n" + "".join(f"{each};1,5678\n" for each in IDS),
    "a digit beyond the range": f"id,score\n{IDS[0]},1.0000001\n" + "".join(f"{each},0.5\n" for each in IDS[1:]),
    "JSON": '[{"id": "t01/angry/maria", "score": 0.5}]',
    "twice": "id,a,a\n",
    "no scores": "id,text\n",
    "stray quotes": 'id,score\n"t01"/angry/maria,1\n',
    "JSON on one long line": '[{"id": "' + "t" * (1 << 20) + '"}]',
}


def test_what_is_wrong_is_said_with_its_line(path: Path, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    # That other corpora have these ids is looked up elsewhere.
    monkeypatch.setattr(corpora, "usable", lambda: ([], []))
    calls: dict[str, Any] = {}
    for what, content in BAD.items():
        text, options = content if isinstance(content, tuple) else (content, {})
        calls[what] = partial(read, path, text, name="SCORES.csv", **options)
    for end in ("csv", "parquet", "xlsx", "sav"):
        calls[f"no {end}"] = partial(read_scores, path.with_name(f"none.{end}"), CORPUS, name=f"SCORES.{end}")
    snapshot.check_refusals("score-table-refusals", calls, BadScores)
