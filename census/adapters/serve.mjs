// Serve a system by lines of JSON (docs/systems.md). An adapter imports this before it loads a package.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

export const [folder, system, language] = process.argv.slice(2);

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr); // packages print
const say = (answer) => write(JSON.stringify(answer) + "\n");

// A package of the environment: by require, or by import of a file if the package has no other form.
export const load = createRequire(join(folder, "package.json"));
export const loadFile = (path) => import(pathToFileURL(join(folder, "node_modules", path)));

// Say who this is, then score texts one by one.
export async function serve(name, range, score) {
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json")));
  say({
    protocol: "eec-system/1", name: system, version, languages: [language], range,
    high_means: "positive",
  });
  for await (const line of createInterface({ input: process.stdin })) {
    const { n, texts } = JSON.parse(line);
    try {
      const scores = [];
      for (const text of texts) scores.push(await score(text));
      say({ n, scores: scores.map((each) => (Number.isFinite(each) ? each : null)) });
    } catch (error) {
      say({ n, error: String(error) });
    }
  }
}
