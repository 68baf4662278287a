/** What a bet asks, in one sentence, with example dice, its chance, its odds and what comes back. */
import { asks, exampleOf, ROLLS } from "../lib/examples.ts";
import { has, named, t } from "../lib/i18n.ts";
import type { BoxView } from "../lib/types.ts";
import { Die } from "./dice.tsx";
import { oddsText } from "./face.tsx";

/** Example dice: those that the bet is about are lit, the others stand in the shade. */
export function ExampleDice({ box }: { box: BoxView }) {
  const { dice, lit } = exampleOf(box);
  return (
    <span class="example" role="img" aria-label={t("example_dice", { dice: dice.join(t("list_comma")) })}>
      {dice.map((face, place) => (
        <span data-lit={lit[place]}>
          <Die face={face} />
        </span>
      ))}
    </span>
  );
}

export function asksWords(box: BoxView): string {
  const { key, facts } = asks(box, t("list_comma"));
  return has(key) ? t(key, facts) : "";
}

/** `30 of 216, about 1 in 7`. */
export const chanceWords = (ways: number): string =>
  t("chance_of", { ways, rolls: ROLLS, one_in: ways ? String(Math.round((10 * ROLLS) / ways) / 10) : "–" });

export function BetInfo({ box }: { box: BoxView }) {
  return (
    <>
      <p class="asks">
        <b>{named(box.names)}</b> <ExampleDice box={box} />
      </p>
      <p>{asksWords(box)}</p>
      <dl>
        <div>
          <dt>{t("chance")}</dt>
          <dd>{chanceWords(box.ways)}</dd>
        </div>
        <div>
          <dt>{t("pays")}</dt>
          <dd>{oddsText(box.pays)}</dd>
        </div>
        <div>
          <dt>{t("returns")}</dt>
          <dd>{box.return_percent.toFixed(2)}%</dd>
        </div>
      </dl>
    </>
  );
}
