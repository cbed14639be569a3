from serve import serve
from vaderSentiment_fr.vaderSentiment import SentimentIntensityAnalyzer

analyzer = SentimentIntensityAnalyzer()
serve("vaderSentiment-fr", [-1, 1], lambda text: analyzer.polarity_scores(text)["compound"])
