/** Checks many receipts at once, and reads keys: `{key, witnesses, now, receipts, keys}` in, verdicts out. For the tests. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const made = join(HERE, "build", `verify-${process.pid}.mjs`);
await build({
  stdin: {
    contents: `export { checkReceipt, sentences } from "./check.ts"; export { readKey } from "./notes.ts";`,
    resolveDir: join(HERE, "src", "verify"),
  },
  outfile: made,
  bundle: true,
  format: "esm",
  platform: "node",
  logLevel: "warning",
});
const { checkReceipt, sentences, readKey } = await import(pathToFileURL(made).href);
const { key, witnesses, now, receipts, keys } = JSON.parse(readFileSync(0, "utf8"));
const verdicts = receipts.map((receipt) => {
  const raw = new Uint8Array(Buffer.from(receipt, "base64"));
  const found = checkReceipt(raw, readKey(key), witnesses.map(readKey), now);
  return [found.code, sentences(found)];
});
process.stdout.write(JSON.stringify({ verdicts, keys: keys.map((each) => readKey(each) !== null) }));
