/** How to play, in pictures: the course of a round, then every kind of bet with dice that win it. Good on paper, too. */
import { named, t } from "../../lib/i18n.ts";
import type { BoxView } from "../../lib/types.ts";
import { asksWords, chanceWords, ExampleDice } from "../../ui/bet-info.tsx";
import { oddsText } from "../../ui/face.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { Terminal } from "./model.ts";
import { groupName, groupsOf } from "./rules.tsx";

const STEPS: readonly (readonly [IconName, "how_step_1" | "how_step_2" | "how_step_3" | "how_step_4"])[] = [
  ["cash", "how_step_1"],
  ["plus", "how_step_2"],
  ["dice", "how_step_3"],
  ["easy", "how_step_4"],
];

function Kind({ boxes }: { boxes: readonly BoxView[] }) {
  const box = boxes[Math.floor(boxes.length / 2)]!;
  return (
    <li>
      <h4>{groupName(boxes)}</h4>
      <ExampleDice box={box} />
      <p>
        {boxes.length > 1 && <b>{t("of_box", { box: named(box.names) })}</b>}
        {asksWords(box)}
      </p>
      <p class="small">
        {t("pays")} <b>{oddsText(box.pays)}</b> · {t("chance")} {chanceWords(box.ways)} · {t("returns")}{" "}
        {box.return_percent.toFixed(2)}%
      </p>
    </li>
  );
}

export function HowToPlay({ terminal, rules, tour }: { terminal: Terminal; rules: () => void; tour: () => void }) {
  const [felt, table] = [terminal.felt.value, terminal.table.value];
  if (!felt || !table) return null;
  return (
    <div class="how-to-play">
      <p>{t(table.cover === "covered" ? "rules_short" : "rules_short_open")}</p>
      <ol class="steps">
        {STEPS.map(([icon, key], place) => (
          <li>
            <Icon name={icon} />
            <span>
              <b>{place + 1}</b> {t(key)}
            </span>
          </li>
        ))}
      </ol>
      <h3>{t("how_bets")}</h3>
      <ul class="kinds">
        {groupsOf(felt.boxes).map((boxes) => (
          <Kind boxes={boxes} />
        ))}
      </ul>
      <p class="small">{t("returns_explained")}</p>
      <div class="choice unprinted">
        <button type="button" class="quiet" onClick={rules}>
          {t("rules_and_odds")}
        </button>
        <button type="button" class="quiet" onClick={() => print()}>
          <Icon name="print" /> {t("paper_print")}
        </button>
        {table.practice ? (
          <button type="button" class="solid" onClick={tour}>
            {t("tour_start")}
          </button>
        ) : (
          table.play_money && (
            <a class="solid button" href="/terminal?table=practice">
              {t("practise")}
            </a>
          )
        )}
      </div>
    </div>
  );
}
