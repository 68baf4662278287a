/** Bundles each page, names every file by its content, and writes the manifest that the server reads. */

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = process.env.TAISAI_STATIC ?? join(HERE, "..", "src", "taisai", "server", "static");
const SCRIPT_LIMIT = 60_000; // bytes, gzipped, of everything that a page runs

const pages = readdirSync(join(HERE, "src", "pages")).filter((page) =>
  existsSync(join(HERE, "src", "pages", page, "main.tsx")),
);
const stage = join(HERE, "build", `static-${process.pid}`);
rmSync(stage, { recursive: true, force: true });

const result = await build({
  entryPoints: Object.fromEntries(pages.map((page) => [page, join(HERE, "src", "pages", page, "main.tsx")])),
  absWorkingDir: HERE,
  outdir: stage,
  entryNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  // One file for each page: a machine runs one page, and in one piece it is a fifth lighter than in shared ones.
  bundle: true,
  format: "esm",
  target: ["es2022"],
  minify: true,
  charset: "utf8", // a Chinese word is a third of the weight of its escapes
  sourcemap: process.argv.includes("--dev") ? "inline" : false,
  metafile: true,
  loader: { ".woff2": "file" },
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});

const outputs = Object.fromEntries(
  Object.entries(result.metafile.outputs).map(([path, made]) => [basename(path), made]),
);
const weight = (file) => gzipSync(readFileSync(join(stage, file)), { level: 9 }).length;

const manifest = { inputs: process.env.TAISAI_INPUTS ?? "", icon: "", pages: {} };
const lines = [];
let heavy = false;
const firstFonts = readdirSync(stage).filter((file) => /^(libre-caslon|source-sans|felt)/.test(file));
for (const page of pages) {
  const script = Object.keys(outputs).find(
    (file) => file.endsWith(".js") && outputs[file].entryPoint?.endsWith(`pages/${page}/main.tsx`),
  );
  const style = basename(outputs[script].cssBundle);
  const bytes = weight(script);
  heavy ||= bytes > SCRIPT_LIMIT;
  manifest.pages[page] = { script, style, preload: firstFonts };
  lines.push(
    `${page.padEnd(10)} script ${(bytes / 1000).toFixed(1).padStart(5)} kB gzipped, style ${(weight(style) / 1000).toFixed(1)} kB${bytes > SCRIPT_LIMIT ? `  ABOVE THE LIMIT OF ${SCRIPT_LIMIT / 1000} kB` : ""}`,
  );
}

const icon = readFileSync(join(HERE, "src", "icon.svg"));
manifest.icon = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8).toUpperCase()}.svg`;
writeFileSync(join(stage, manifest.icon), icon);
writeFileSync(join(stage, "words.json"), JSON.stringify(allWords()));
writeFileSync(join(stage, "LICENSES.txt"), notices(result.metafile));
writeFileSync(join(stage, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
if (heavy) {
  console.error(lines.join("\n"));
  process.exit(1);
}
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
cpSync(stage, OUT, { recursive: true });
rmSync(stage, { recursive: true });
const fonts = readdirSync(OUT).filter((file) => file.endsWith(".woff2"));
lines.push(
  `fonts      ${fonts.map((file) => `${file.replace(/-[A-Z0-9]{8}\.woff2$/, "")} ${(statSync(join(OUT, file)).size / 1000).toFixed(1)} kB`).join(", ")}`,
);
console.log(lines.join("\n"));

/** The English words of all pages by their keys: what a house's own words may stand in for. */
function allWords() {
  const folder = join(HERE, "src", "i18n", "en");
  const read = (file) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  return Object.assign({}, ...readdirSync(folder).sort().map(read));
}

/** The licences of what is bundled: each package once, with its own text. */
function notices(metafile) {
  const used = new Set([
    "@fontsource-variable/noto-sans-tc",
    "@fontsource-variable/noto-sans-sc",
    "@fontsource-variable/noto-serif-sc",
    "@fontsource-variable/noto-serif-tc",
  ]);
  for (const path of Object.keys(metafile.inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(relative(HERE, join(HERE, path)).replaceAll("\\", "/"));
    if (found) used.add(found[1]);
  }
  return [...used]
    .sort()
    .map((name) => {
      const home = join(HERE, "node_modules", name);
      const { version, license } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
      const text = readdirSync(home).find((file) => /^licen[cs]e/i.test(file));
      return `${name} ${version} (${license})\n\n${text ? readFileSync(join(home, text), "utf8").trim() : ""}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
