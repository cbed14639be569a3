import { load, serve } from "./serve.mjs";

const sentiment = load("wink-sentiment");
serve("wink-sentiment", [-5, 5], (text) => sentiment(text).normalizedScore);
