import { language, load, serve, system } from "./serve.mjs";

const LANGUAGES = { en: "English", es: "Spanish", pt: "Portuguese", de: "German", fr: "French", it: "Italian" };
const { SentimentAnalyzer, ...natural } = load("natural");

const [, list, stem] = system.split("-");
const suffix = language === "en" ? "" : language[0].toUpperCase() + language[1];
const stemmer = stem ? natural[`PorterStemmer${suffix}`] : null;
const analyzer = new SentimentAnalyzer(LANGUAGES[language], stemmer, list);
const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];
serve("natural", list === "afinn" ? [-5, 5] : [-2, 2], (text) => analyzer.getSentiment(words(text)));
