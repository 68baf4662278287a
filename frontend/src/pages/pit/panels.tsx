/** The dialogs of the pit, one at a time. */
import type { Signal } from "@preact/signals";
import { named, t } from "../../lib/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { OwedRegister } from "../../ui/staff/owed.tsx";
import { LimitsForm } from "./limits.tsx";
import { tables } from "./model.ts";
import { Rounds } from "./rounds.tsx";
import { RulesForm } from "./rules.tsx";
import { Day, TablePanel } from "./table-panel.tsx";

export type PanelName =
  | "day"
  | "owed"
  | `rounds:${string}`
  | `table:${string}`
  | `limits:${string}`
  | `rules:${string}`;

export interface PanelsProps {
  readonly panel: Signal<PanelName | null>;
}

export function Panels({ panel }: PanelsProps) {
  const name = panel.value;
  const close = () => (panel.value = null);
  if (!name) return null;
  if (name === "day")
    return (
      <Dialog name="day" title={t("gaming_day")} close={close} wide>
        <Day />
      </Dialog>
    );
  if (name === "owed")
    return (
      <Dialog name="owed-register" title={t("owed_register")} close={close} wide>
        <OwedRegister />
      </Dialog>
    );
  const [kind = "", ...rest] = name.split(":");
  const one = tables.value.find((each) => each.table.name === rest.join(":"));
  if (!one) return null;
  const title = `${one.table.name} · ${named(one.table.titles)}`;
  switch (kind) {
    case "rounds":
      return (
        <Dialog key={name} name="rounds" title={`${t("rounds")} · ${title}`} close={close} wide>
          <Rounds one={one} />
        </Dialog>
      );
    case "limits":
      return (
        <Dialog key={name} name="limits" title={`${t("limits_set")} · ${title}`} close={close} wide>
          <LimitsForm table={one.table.name} close={close} />
        </Dialog>
      );
    case "rules":
      return (
        <Dialog key={name} name="rules" title={`${t("rules_set")} · ${title}`} close={close} wide>
          <RulesForm table={one.table.name} close={close} />
        </Dialog>
      );
    default:
      return (
        <Dialog key={name} name="table" title={title} close={close} wide>
          <TablePanel one={one} />
        </Dialog>
      );
  }
}
