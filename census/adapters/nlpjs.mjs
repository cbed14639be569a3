import { language, load, serve } from "./serve.mjs";

const { Container } = load("@nlpjs/core");
const { SentimentAnalyzer } = load("@nlpjs/sentiment");
const plugins = load(`@nlpjs/lang-${language}`);

const container = new Container();
container.use(plugins[`Lang${language[0].toUpperCase()}${language[1]}`]);
const analyzer = new SentimentAnalyzer({ container });
serve("@nlpjs/sentiment", [-5, 5], async (text) => {
  const { sentiment } = await analyzer.process({ utterance: text, locale: language });
  return sentiment.average;
});
