/** The game's own name in Chinese, in the script that the reader knows. */
import { language } from "../lib/i18n.ts";

export const GameName = () =>
  language.value === "zh-Hans" ? <span lang="zh-Hans">骰宝</span> : <span lang="zh-Hant">骰寶</span>;
