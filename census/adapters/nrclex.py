from serve import serve, words
from nrclex import NRCLex

lexicon = NRCLex()


def score(text):
    tokens = words(text)
    lexicon.load_token_list(tokens)
    counts = lexicon.raw_emotion_scores
    return (counts.get("positive", 0) - counts.get("negative", 0)) / max(1, len(tokens))


serve("nrclex", [-1, 1], score)
