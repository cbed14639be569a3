from serve import serve
import textstat

serve("textstat-py", [-1, 1], textstat.sentiment_polarity)
