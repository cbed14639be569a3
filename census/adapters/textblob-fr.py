from serve import serve
from textblob import TextBlob
from textblob_fr import PatternAnalyzer

analyzer = PatternAnalyzer()
serve("textblob-fr", [-1, 1], lambda text: TextBlob(text, analyzer=analyzer).sentiment[0])
