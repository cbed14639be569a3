import { language, load, serve } from "./serve.mjs";

const sentiment = load("multilang-sentiment");
serve("multilang-sentiment", null, (text) => sentiment(text, language === "he" ? "iw" : language).comparative);
