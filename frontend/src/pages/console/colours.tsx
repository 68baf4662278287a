/** The table's own chips: each colour one player's at one value, until every chip of it is back. */
import { useSignal } from "@preact/signals";
import { type Key, t } from "../../lib/i18n.ts";
import { ActForm, amountIn, Choice, MoneyField, TextField } from "../../ui/staff/fields.tsx";
import { typedMoney } from "../../ui/staff/money-entry.ts";
import { cash, currency, isOneOf, SUPERVISORS } from "../../ui/staff/session.ts";
import type { PanelProps } from "./panels.tsx";
import { colourName } from "./side.tsx";

const COLOURS = ["red", "blue", "green", "yellow", "orange", "purple", "brown", "white"];
const ACTS = ["PayInColour", "ChangeBack", "DeclareMissing"] as const;
type Act = (typeof ACTS)[number];

const countIn = (text: string): number => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : 0);

export function Colours({ console }: PanelProps) {
  const out = console.view.value?.colours ?? [];
  return (
    <>
      <table class="colours-out">
        <caption>{t("colours_out")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("colour")}</th>
            <th scope="col">{t("player")}</th>
            <th scope="col">{t("colour_value")}</th>
            <th scope="col">{t("colour_hand")}</th>
            <th scope="col">{t("colour_felt")}</th>
            <th scope="col">{t("colour_worth")}</th>
          </tr>
        </thead>
        <tbody>
          {out.map((one) => (
            <tr>
              <th scope="row">{colourName(one.colour)}</th>
              <td>{one.player}</td>
              <td>{cash(one.value)}</td>
              <td>{one.hand}</td>
              <td>{one.chips - one.hand}</td>
              <td>{cash(one.value * one.chips)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!out.length && <p class="small">{t("colours_none")}</p>}
      {out.length > 0 && <Move console={console} />}
      <Issue console={console} />
    </>
  );
}

/** Chips of a colour that is out: more of it as winnings, or from the hand back to the rack. */
function Move({ console }: Pick<PanelProps, "console">) {
  const out = console.view.value?.colours ?? [];
  const [act, chosen, count] = [useSignal<Act>("ChangeBack"), useSignal(""), useSignal("")];
  const one = out.find(({ colour }) => colour === chosen.value) ?? out.find(({ hand }) => hand > 0) ?? out[0]!;
  const chips = countIn(count.value);
  const most = act.value === "PayInColour" ? Number.POSITIVE_INFINITY : one.hand;
  const worth = chips > most ? t("colour_in_hand", { n: one.hand }) : chips ? cash(chips * one.value) : "";
  const run = async () => {
    if (await console.done(act.value, t("recorded"), { colour: one.colour, player: one.player, chips }))
      count.value = "";
  };
  return (
    <ActForm
      submit={t(`act_${act.value}`)}
      ready={chips > 0 && chips <= most}
      danger={act.value === "DeclareMissing"}
      run={run}
    >
      <Choice
        label={t("colour_act")}
        of={act}
        options={ACTS.filter((each) => each !== "DeclareMissing" || isOneOf(SUPERVISORS)).map((value) => ({
          value,
          text: t(`act_${value}`),
          hint: t(`hint_${value}` as Key),
        }))}
      />
      <label class="field">
        {t("colour")}
        <select value={one.colour} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          {out.map((each) => (
            <option value={each.colour}>
              {colourName(each.colour)} · {each.player}
            </option>
          ))}
        </select>
      </label>
      <TextField label={t("colour_count")} of={count} hint={worth} />
    </ActForm>
  );
}

/** A sale for cash; the first one fixes what a chip of the colour is worth. */
function Issue({ console }: Pick<PanelProps, "console">) {
  const out = console.view.value?.colours ?? [];
  const players = (console.view.value?.slips ?? []).map((one) => one.player);
  const [player, colour, count, value] = [
    useSignal(""),
    useSignal(""),
    useSignal(""),
    useSignal(typedMoney(console.table.value?.limits.unit ?? 0, currency.value.exponent)),
  ];
  const who = player.value.trim();
  const free = COLOURS.filter((one) => !out.some((held) => held.colour === one && held.player !== who));
  const which = colour.value || out.find((one) => one.player === who)?.colour || free[0] || "";
  const fixed = out.find((one) => one.colour === which)?.value;
  const [chips, worth] = [countIn(count.value), fixed ?? amountIn(value) ?? 0];
  const run = async () => {
    if (
      await console.done("IssueColour", t("colour_sold", { amount: cash(chips * worth) }), {
        player: who,
        colour: which,
        chips,
        value: worth,
      })
    )
      count.value = "";
  };
  return (
    <ActForm submit={t("act_IssueColour")} ready={who !== "" && which !== "" && chips > 0 && worth > 0} run={run}>
      <h3>{t("colour_sale")}</h3>
      <TextField label={t("player")} of={player} list={players} />
      <label class="field">
        {t("colour_new")}
        <select value={which} onChange={(event) => (colour.value = event.currentTarget.value)}>
          {free.map((one) => (
            <option value={one}>{colourName(one)}</option>
          ))}
        </select>
      </label>
      {fixed === undefined ? (
        <MoneyField label={t("colour_value")} of={value} />
      ) : (
        <p class="small">{t("colour_fixed", { value: cash(fixed) })}</p>
      )}
      <TextField label={t("colour_sold_count")} of={count} hint={chips && worth ? cash(chips * worth) : ""} />
    </ActForm>
  );
}
