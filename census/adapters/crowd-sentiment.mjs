import { load, serve } from "./serve.mjs";

const { SentimentIntensityAnalyzer } = load("crowd-sentiment");
serve("crowd-sentiment", [-1, 1], (text) => SentimentIntensityAnalyzer.polarity_scores(text).compound);
