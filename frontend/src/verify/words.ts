/** The words of the page that checks receipts. */

import type { Language } from "./check.ts";

/** What stands on the page from the start, by the place that it has there. */
export const LABELS = ["title", "lead", "pick", "choose", "house", "others", "check", "keep"] as const;
type Words = Record<(typeof LABELS)[number] | "noneChosen" | "noFile" | "noKey" | "fits" | "fails" | "fetch", string>;

export const WORDS: Record<Language, Words> = {
  en: {
    title: "Check a receipt",
    lead: "This page checks a receipt on this device. It contacts nobody: save it, and it works without the house.",
    pick: "The receipt",
    choose: "Choose a file",
    noneChosen: "No file chosen",
    house: "The house's key",
    others: "Keys of witnesses, one on each line",
    check: "Check",
    keep: "To be sure, get the house's key from somewhere other than the house.",
    noFile: "Choose a receipt first.",
    noKey: "Expected a key such as NAME+HASH+KEY.",
    fits: "Everything fits.",
    fails: "This receipt proves nothing.",
    fetch: "Get the receipt of",
  },
  "zh-Hant": {
    title: "核對收據",
    lead: "本頁在此裝置上核對收據，不向任何人查詢：存檔後，離開賭場亦可使用。",
    pick: "收據",
    choose: "選擇檔案",
    noneChosen: "未選擇檔案",
    house: "賭場的金鑰",
    others: "見證人的金鑰，每行一個",
    check: "核對",
    keep: "為求穩妥，請從別處取得賭場的金鑰。",
    noFile: "請先選擇收據。",
    noKey: "應為 NAME+HASH+KEY 形式的金鑰。",
    fits: "全部相符。",
    fails: "這張收據不能證明甚麼。",
    fetch: "取得收據",
  },
  "zh-Hans": {
    title: "核对收据",
    lead: "本页在此设备上核对收据，不向任何人查询：保存后，离开赌场也可使用。",
    pick: "收据",
    choose: "选择文件",
    noneChosen: "未选择文件",
    house: "赌场的密钥",
    others: "见证人的密钥，每行一个",
    check: "核对",
    keep: "为求稳妥，请从别处取得赌场的密钥。",
    noFile: "请先选择收据。",
    noKey: "应为 NAME+HASH+KEY 形式的密钥。",
    fits: "全部相符。",
    fails: "这张收据不能证明什么。",
    fetch: "取得收据",
  },
};
