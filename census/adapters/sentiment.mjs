import { load, serve } from "./serve.mjs";

const Sentiment = load("sentiment");
const analyzer = new Sentiment();
serve("sentiment", [-5, 5], (text) => analyzer.analyze(text).comparative);
