from serve import serve
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

analyzer = SentimentIntensityAnalyzer()
serve("vaderSentiment", [-1, 1], lambda text: analyzer.polarity_scores(text)["compound"])
