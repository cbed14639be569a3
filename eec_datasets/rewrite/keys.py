"""Content of ``anchors.toml``: the keys of its tables, and the kind of value of each."""

from __future__ import annotations

from eec_datasets.locale.toml_file import (
    NUMBER,
    TABLE,
    TABLE_TABLE,
    TABLES,
    TEXT,
    TEXT_OR_TEXTS,
    TEXT_TABLE,
    TEXTS,
    TRUE,
    TableKeys,
    either,
)

ANCHORS = TableKeys(
    needed={
        "agreement": TEXT_TABLE,
        "roles": TEXT_TABLE,
        "language": TEXT_TABLE,
        "readings": TABLE_TABLE,
        "rules": TABLES,
    },
    allowed={
        "schema": NUMBER,
        "notes": TEXTS,
        "joins": TABLES,
        "before": TEXT,
        "tokens": TEXT_TABLE,
        "classes": TABLE,
        "affixes": TABLES,
        "checks": TABLES,
        "guesses": TABLES,
        "speakers": TABLES,
        "tagger": TABLE_TABLE,
        "given": TEXT_TABLE,
        "titles": TEXT_TABLE,
        "nobody": TEXT_TABLE,
        "kinds-of-reasons": TEXT_TABLE,
        "reasons": TEXT_TABLE,
    },
)
KINDS_OF_REASONS = TableKeys(
    allowed={
        "agreement": TEXT,
        "ambiguous": TEXT,
        "referent": TEXT,
        "name": TEXT,
        "form": TEXT,
        "wide": TEXT,
        "checked": TEXT,
    }
)
LANGUAGE = TableKeys(allowed={"words": TEXT})
TOKENS = TableKeys(
    allowed={
        "abbreviations": TEXT,
        "elided": TEXT,
        "mention": TEXT,
        "hashtag": TEXT,
        "url": TEXT,
    }
)
JOIN = TableKeys(needed={"before": TEXT, "after": TEXT})
WORD_CLASS = TableKeys(
    allowed={
        "words": TEXT,
        "starts": TEXT,
        "ends": TEXT,
        "has": TEXT,
        "except": TEXT,
        "classes": TEXT,
        "lacks": TEXT,
        "min": NUMBER,
        "pairs": TEXT_TABLE,
    }
)
AFFIX = TableKeys(
    needed={"class": TEXT, "stem": TEXT},
    allowed={"prefix": TEXT, "suffix": TEXT},
)
RULE = TableKeys(
    allowed={
        "id": TEXT,
        "at": TEXT,
        "is": TEXT,
        "is-not": TEXT,
        "left": TEXT_OR_TEXTS,
        "right": TEXT_OR_TEXTS,
        "not-left": TEXT_OR_TEXTS,
        "not-right": TEXT_OR_TEXTS,
        "before": TEXT,
        "after": TEXT,
        "anywhere": TEXT,
        "between": TEXT,
        "not-before": TEXT,
        "not-after": TEXT,
        "not-anywhere": TEXT,
        "not-between": TEXT,
        "gender": TEXT,
        "only": TEXT,
        "tags": TEXT,
        "entities": TEXT,
        "reading": TEXT,
        "inflect": TRUE,
        "keep": either(TRUE, TEXT),
        "skip": TEXT,
    }
)
