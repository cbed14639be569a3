from serve import serve
from vader import SentimentIntensityAnalyzer

analyzer = SentimentIntensityAnalyzer()
serve("nltk-vader-sentiment", [-1, 1], lambda text: analyzer.polarity_scores(text)["compound"])
