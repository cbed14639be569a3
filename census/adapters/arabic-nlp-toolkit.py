from serve import serve
from arabic_nlp_toolkit import analyze_sentiment

VALUES = {"positive": 1, "neutral": 0, "negative": -1}
serve("arabic-nlp-toolkit", [-1, 1], lambda text: VALUES[analyze_sentiment(text)])
