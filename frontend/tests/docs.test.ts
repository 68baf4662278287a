import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, matches, setOut, wordsOf } from "../src/pages/docs/words.ts";

const TABLE = { name: "table", in: "path", needed: true, example: "T1" };
const LIMIT = { name: "limit", in: "query", needed: false, example: "" };

test("a search asks for all words in any order and in any case", () => {
  assert.ok(matches("GET /api/v1/tables The tables", wordsOf("  tables get ")));
  assert.ok(!matches("GET /api/v1/tables", wordsOf("tables post")));
  assert.ok(matches("anything", wordsOf(" ")));
});

test("an address carries what was typed, and no empty question", () => {
  assert.equal(addressOf("/t/{table}/rounds", [TABLE, LIMIT], { table: "A/B", limit: "" }), "/t/A%2FB/rounds");
  assert.equal(addressOf("/t/{table}/rounds", [TABLE, LIMIT], { table: "T1", limit: "5" }), "/t/T1/rounds?limit=5");
});

test("JSON is set out in lines and other text is left as it is", () => {
  assert.equal(setOut('{"a":1}'), '{\n  "a": 1\n}');
  assert.equal(setOut("id: 1\ndata: x"), "id: 1\ndata: x");
});
