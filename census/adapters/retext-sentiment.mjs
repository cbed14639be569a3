import { loadFile, serve } from "./serve.mjs";

const { retext } = await loadFile("retext/index.js");
const { default: retextSentiment } = await loadFile("retext-sentiment/index.js");
const processor = retext().use(retextSentiment);
serve("retext-sentiment", null, async (text) => {
  const tree = await processor.run(processor.parse(text));
  return tree.data?.polarity ?? 0;
});
