/** Bundles tests/*.test.ts and runs them with Node's own runner. */

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = join(HERE, "build", "tests");
rmSync(OUT, { recursive: true, force: true });
await build({
  entryPoints: readdirSync(join(HERE, "tests"))
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join(HERE, "tests", file)),
  outdir: OUT,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: "inline",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const files = readdirSync(OUT).map((file) => join(OUT, file));
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" });
process.exit(run.status ?? 1);
