from serve import serve
from sentix import SentimentAnalyzer

analyzer = SentimentAnalyzer()
serve("sentix", [-1, 1], lambda text: analyzer.predict(text).score)
