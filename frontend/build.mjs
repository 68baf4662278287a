/** Bundles each page, names every file by its content, and writes the manifest that the server reads. */

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { icon as pictureOf } from "./icons.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = process.env.TAISAI_STATIC ?? join(HERE, "..", "src", "taisai", "server", "static");
const SCRIPT_LIMIT = 60_000; // bytes, gzipped, of what a page runs before its first picture
const WHOLE_LIMIT = 90_000; // and of everything that it may run

const pages = readdirSync(join(HERE, "src", "pages")).filter((page) =>
  existsSync(join(HERE, "src", "pages", page, "main.tsx")),
);
const stage = join(HERE, "build", `static-${process.pid}`);
rmSync(stage, { recursive: true, force: true });

/** A page in as few files as can be: what it begins with, and what it asks for once that is drawn. */
const bundle = (page) =>
  build({
    entryPoints: { [page]: join(HERE, "src", "pages", page, "main.tsx") },
    absWorkingDir: HERE,
    outdir: stage,
    entryNames: "[name]-[hash]",
    chunkNames: `${page}-part-[hash]`,
    assetNames: "[name]-[hash]",
    // Nothing is shared between pages: a machine runs one, and for one page that is a fifth lighter.
    bundle: true,
    splitting: true,
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

const weight = (file) => gzipSync(readFileSync(join(stage, file)), { level: 9 }).length;
const sum = (files) => files.reduce((bytes, file) => bytes + weight(file), 0);
const kilo = (bytes) => (bytes / 1000).toFixed(1);

const manifest = { inputs: process.env.TAISAI_INPUTS ?? "", icon: "", icons: {}, pages: {} };
const lines = [];
const inputs = {};
let heavy = false;
for (const page of pages) {
  const { outputs, inputs: read } = (await bundle(page)).metafile;
  Object.assign(inputs, read);
  const made = Object.fromEntries(Object.entries(outputs).map(([path, one]) => [basename(path), one]));
  const script = Object.keys(made).find((file) => made[file].entryPoint?.endsWith(`pages/${page}/main.tsx`));
  const style = basename(made[script].cssBundle);
  const chunks = importedBy(script, made);
  const later = Object.keys(made).filter((file) => file.endsWith(".js") && file !== script && !chunks.includes(file));
  const [first, rest] = [sum([script, ...chunks]), sum(later)];
  const over = first > SCRIPT_LIMIT ? SCRIPT_LIMIT : first + rest > WHOLE_LIMIT ? WHOLE_LIMIT : 0;
  heavy ||= over > 0;
  manifest.pages[page] = { script, chunks, later, style, preload: [] };
  lines.push(
    `${page.padEnd(10)} script ${kilo(first).padStart(5)} kB gzipped${rest ? `, ${kilo(rest)} kB later` : ""}, style ${kilo(weight(style))} kB${over ? `  ABOVE THE LIMIT OF ${over / 1000} kB` : ""}`,
  );
}
const firstFonts = readdirSync(stage).filter((file) => /^(libre-caslon|source-sans|felt)/.test(file));
for (const page of pages) manifest.pages[page].preload = firstFonts;

manifest.icon = keep("icon.svg", readFileSync(join(HERE, "src", "icon.svg")));
for (const size of [180, 192, 512]) manifest.icons[size] = keep(`icon-${size}.png`, pictureOf(size));
writeFileSync(join(stage, "verify.html"), await onePage());
writeFileSync(join(stage, "words.json"), JSON.stringify(allWords()));
writeFileSync(join(stage, "LICENSES.txt"), notices(inputs));
writeFileSync(join(stage, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
if (heavy) {
  console.error(lines.join("\n"));
  process.exit(1);
}
for (const file of readdirSync(stage).filter((name) => /\.(js|css|svg|json|txt|webmanifest)$/.test(name))) pack(file);
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
cpSync(stage, OUT, { recursive: true });
rmSync(stage, { recursive: true });
const fonts = readdirSync(OUT).filter((file) => file.endsWith(".woff2"));
lines.push(
  `fonts      ${fonts.map((file) => `${file.replace(/-[A-Z0-9]{8}\.woff2$/, "")} ${(statSync(join(OUT, file)).size / 1000).toFixed(1)} kB`).join(", ")}`,
);
console.log(lines.join("\n"));

/** The page that checks receipts, with its script inside: it is saved and used without a server. */
async function onePage() {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(HERE, "src", "verify", "page.ts")],
    absWorkingDir: HERE,
    bundle: true,
    format: "iife",
    target: ["es2022"],
    minify: true,
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    write: false,
  });
  Object.assign(inputs, metafile.inputs);
  const script = outputFiles[0].text.replaceAll("</script", "<\\/script");
  lines.push(`verify     script ${kilo(gzipSync(script, { level: 9 }).length)} kB gzipped, inside the page`);
  const font = (name) => readFileSync(join(HERE, "build", "fonts", `receipt-${name}-400.woff2`)).toString("base64");
  return readFileSync(join(HERE, "src", "verify", "page.html"), "utf8")
    .replace("/*FONT TC*/", () => font("tc"))
    .replace("/*FONT SC*/", () => font("sc"))
    .replace("/*SCRIPT*/", () => script);
}

/** Writes a file under a name that tells its content; the name. */
function keep(name, content) {
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 8).toUpperCase();
  const named = name.replace(/(\.\w+)$/, `-${digest}$1`);
  writeFileSync(join(stage, named), content);
  return named;
}

/** All that a script imports before it runs, through any number of steps. */
function importedBy(script, made, found = []) {
  for (const { path, kind } of made[script].imports) {
    const file = basename(path);
    if (kind !== "import-statement" || !made[file] || found.includes(file)) continue;
    found.push(file);
    importedBy(file, made, found);
  }
  return found;
}

/** The same file packed as tightly as can be, once, beside itself: the server sends what a browser takes. */
function pack(file) {
  const plain = readFileSync(join(stage, file));
  const tight = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } };
  for (const [ending, packed] of [
    ["br", brotliCompressSync(plain, tight)],
    ["gz", gzipSync(plain, { level: 9 })],
  ])
    if (packed.length < plain.length) writeFileSync(join(stage, `${file}.${ending}`), packed);
}

/** The English words of all pages by their keys: what a house's own words may stand in for. */
function allWords() {
  const folder = join(HERE, "src", "i18n", "en");
  const read = (file) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  return Object.assign({}, ...readdirSync(folder).sort().map(read));
}

/** The licences of what is bundled: each package once, with its own text. */
function notices(inputs) {
  const used = new Set([
    "@fontsource/libre-caslon-text",
    "@fontsource-variable/source-sans-3",
    "@fontsource-variable/noto-sans-tc",
    "@fontsource-variable/noto-sans-sc",
    "@fontsource-variable/noto-serif-sc",
    "@fontsource-variable/noto-serif-tc",
  ]);
  for (const path of Object.keys(inputs)) {
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
