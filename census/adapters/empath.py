from serve import serve
from empath import Empath

lexicon = Empath()
CATEGORIES = ["positive_emotion", "negative_emotion"]


def score(text):
    found = lexicon.analyze(text, categories=CATEGORIES, normalize=True) or {}
    return found.get("positive_emotion", 0) - found.get("negative_emotion", 0)


serve("empath", [-1, 1], score)
