from serve import serve
from textblob import TextBlob

serve("textblob", [-1, 1], lambda text: TextBlob(text).sentiment.polarity)
