/** Before the first bet: which terminal this machine is. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call, Problem } from "../../lib/api.ts";
import { gap, said, t } from "../../lib/i18n.ts";
import { helpLine } from "../../lib/page.ts";
import { preference } from "../../lib/prefs.ts";
import type { PageData } from "../../lib/types.ts";
import { GameName } from "../../ui/game-name.tsx";
import { Languages } from "../../ui/languages.tsx";
import type { Credentials } from "./model.ts";

/** Which terminal this machine is, by the table it was asked to serve. */
export const enrolled = preference<Readonly<Record<string, Credentials>>>("terminals", {});

export function keep(credentials: Credentials, asked: string): void {
  enrolled.value = { ...enrolled.value, [asked]: credentials };
}

export function forget(asked: string): void {
  const { [asked]: _, ...others } = enrolled.value;
  enrolled.value = others;
}

/** Play-money houses give a terminal to whoever asks; others want a supervisor's code. */
export function Enrol({ data, table }: { data: PageData; table: string }) {
  const code = useSignal("");
  const fault = useSignal("");
  const asking = useSignal(false);
  const ask = async (path: string, body: object) => {
    asking.value = true;
    fault.value = "";
    try {
      const found = await call<{ terminal: string; key: string; table?: string }>("POST", path, body);
      keep({ terminal: found.terminal, key: found.key, table: found.table ?? table }, table);
    } catch (problem) {
      const sentences = problem instanceof Problem ? problem.body.sentences : undefined;
      fault.value = sentences
        ? said(sentences).join(gap())
        : problem instanceof Problem
          ? problem.message
          : t("link_out_of_service");
    } finally {
      asking.value = false;
    }
  };
  useEffect(() => {
    if (data.play_money) void ask("/demo/terminal", { table });
  }, []);
  return (
    <main class="enrol">
      <h1>
        <GameName /> Sic Bo
      </h1>
      <Languages />
      {data.play_money && !fault.value ? (
        <p>{t("link_connecting")}</p>
      ) : (
        <form
          class="field"
          onSubmit={(event) => {
            event.preventDefault();
            if (code.value.trim()) void ask("/terminals/enrol", { code: code.value.trim() });
          }}
        >
          <p>{t("enrol_text")}</p>
          <label for="code">{t("enrol_code")}</label>
          <input
            id="code"
            autoComplete="off"
            autoCapitalize="characters"
            value={code}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
          <button type="submit" class="solid" aria-disabled={asking}>
            {t("enrol")}
          </button>
          {fault.value && (
            <p role="alert" class="fault">
              {fault}
            </p>
          )}
        </form>
      )}
      {helpLine(data) && <p class="small help-line">{helpLine(data)}</p>}
    </main>
  );
}
