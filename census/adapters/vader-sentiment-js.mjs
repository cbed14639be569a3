import { load, serve } from "./serve.mjs";

const { SentimentIntensityAnalyzer } = load("vader-sentiment");
serve("vader-sentiment", [-1, 1], (text) => SentimentIntensityAnalyzer.polarity_scores(text).compound);
