import { language, load, serve } from "./serve.mjs";

const { classify } = load("ml-sentiment")({ lang: language });
serve("ml-sentiment", null, classify);
