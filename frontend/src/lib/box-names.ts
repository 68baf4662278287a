/** Boxes by their ids, for those that are not on the felt in view: of another pay table, or of an earlier round. */
import { type Key, t } from "./i18n.ts";

const KINDS = [
  "small",
  "big",
  "odd",
  "even",
  "single",
  "sum",
  "domino",
  "double",
  "any-triple",
  "triple",
  "four",
  "trio",
  "pair",
];

/** A box, or a group of boxes, by its id: `sum-4-17` is the totals 4 and 17. */
export function boxById(id: string): string {
  const kind = KINDS.find((one) => id === one || id.startsWith(`${one}-`));
  if (!kind) return id;
  return [
    t(`kind_${kind.replace("-", "_")}` as Key),
    id
      .slice(kind.length + 1)
      .split("-")
      .join(t("list_comma")),
  ]
    .filter(Boolean)
    .join(" ");
}
