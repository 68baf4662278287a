/** Players whom the house knows: registered here, with what they allow themselves and whether they may play at all. */
import { type Signal, signal, useSignal } from "@preact/signals";
import type { PlayerView, PlayLimits, StandingView } from "../../http.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ActForm, Choice, MoneyField, Switch, TextField } from "../../ui/staff/fields.tsx";
import { readMoney, typedMoney } from "../../ui/staff/money-entry.ts";
import { note } from "../../ui/staff/notice.tsx";
import { ask, cash, currency, faultOf, netCash } from "../../ui/staff/session.ts";
import { dateTime } from "../../ui/staff/times.ts";

const opened = signal<StandingView | null>(null);
const at = (player: string): string => `/players/${encodeURIComponent(player)}`;

/** Does something for a player, says so, and shows how they stand now. */
async function act(player: string, work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work();
    opened.value = await ask<StandingView>("GET", at(player));
    if (done) note("done", done);
    return true;
  } catch (problem) {
    note("refused", faultOf(problem));
    return false;
  }
}

const open = (player: string): Promise<boolean> => act(player, async () => undefined, "");

export function Players() {
  const name = useSignal("");
  const found = useSignal<readonly PlayerView[] | null>(null);
  const wanted = name.value.trim();
  const find = async () => {
    try {
      found.value = await ask<readonly PlayerView[]>("GET", `/players?name=${encodeURIComponent(wanted)}`);
    } catch (problem) {
      note("refused", faultOf(problem));
    }
  };
  const register = async () => {
    try {
      const { player } = await ask<PlayerView>("POST", "/players", { name: wanted });
      found.value = null;
      name.value = "";
      await act(player, async () => undefined, t("player_registered_now", { name: wanted }));
    } catch (problem) {
      note("refused", faultOf(problem));
    }
  };
  return (
    <section class="card" aria-labelledby="players-head">
      <h2 id="players-head">
        <Icon name="person" /> {t("players_known")}
      </h2>
      <ActForm submit={t("player_find")} ready={wanted !== ""} run={find}>
        <TextField label={t("player_called")} of={name} required />
      </ActForm>
      {found.value && (
        <>
          {found.value.length ? (
            <ul class="journal">
              {found.value.map((one) => (
                <li>
                  <button type="button" class="quiet" onClick={() => void open(one.player)}>
                    {t("player_open", { name: one.name ?? one.player })}
                  </button>
                  <small>{one.player}</small>
                </li>
              ))}
            </ul>
          ) : (
            <p class="small">{t("player_none")}</p>
          )}
          {wanted && (
            <button type="button" class="quiet" onClick={() => void register()}>
              {t("player_register", { name: wanted })}
            </button>
          )}
        </>
      )}
      {opened.value && <One key={opened.value.player} view={opened.value} />}
    </section>
  );
}

function One({ view }: { view: StandingView }) {
  const { standing, player, places } = view;
  return (
    <Dialog
      name="player"
      title={t("player_open", { name: view.name ?? player })}
      close={() => (opened.value = null)}
      wide
    >
      <dl class="facts">
        <dt>{t("player_pseudonym")}</dt>
        <dd>{player}</dd>
        <dt>{t("player_sits")}</dt>
        <dd>{places.join(t("list_comma")) || t("player_sits_nowhere")}</dd>
        <dt>{t("player_today")}</dt>
        <dd>
          {cash(standing.day_wagered)}
          {t("list_comma")}
          {netCash(standing.day_net)}
        </dd>
      </dl>
      {view.exclusions.length === 0 && <p>{t("player_may_play")}</p>}
      {view.exclusions.map(({ own, since, until }) => (
        <p class="fault">
          {t(own ? "player_excluded_own" : "player_excluded_house", {
            since: dateTime(since),
            until: until === null ? t("player_for_good") : dateTime(until),
          })}
        </p>
      ))}
      <Limits view={view} />
      <Exclude player={player} />
      <Seat player={player} />
    </Dialog>
  );
}

type Name = "loss_day" | "wager_day" | "minutes_day";
const DAY: readonly Name[] = ["loss_day", "wager_day", "minutes_day"];
const shown = (name: Name, value: number | null): string =>
  value === null ? t("player_no_limit") : name === "minutes_day" ? String(value) : cash(value);

function Listed({ limits }: { limits: PlayLimits }) {
  return (
    <dl class="facts">
      {DAY.map((name) => (
        <>
          <dt>{t(`player_${name}` as Key)}</dt>
          <dd>{shown(name, limits[name])}</dd>
        </>
      ))}
    </dl>
  );
}

/** The day's limits: what holds now, what waits, and what the player wants instead. */
function Limits({ view: { player, standing } }: { view: StandingView }) {
  const { limits, later, later_from } = standing;
  const wanted = later ?? limits;
  const text = (name: Name): string =>
    wanted[name] === null
      ? ""
      : name === "minutes_day"
        ? String(wanted[name])
        : typedMoney(wanted[name], currency.value.exponent);
  const fields: Readonly<Record<Name, Signal<string>>> = {
    loss_day: useSignal(text("loss_day")),
    wager_day: useSignal(text("wager_day")),
    minutes_day: useSignal(text("minutes_day")),
  };
  const read = (name: Name): number | null | undefined => {
    const raw = fields[name].value.trim();
    if (!raw) return null;
    return (
      (name === "minutes_day"
        ? /^\d{1,4}$/.test(raw)
          ? Number(raw)
          : null
        : readMoney(raw, currency.value.exponent)) ?? undefined
    );
  };
  const asked = DAY.map((name) => [name, read(name)] as const);
  const set = () =>
    act(
      player,
      () => ask("POST", `${at(player)}/limits`, { ...wanted, ...Object.fromEntries(asked) }),
      t("player_limits_set"),
    );
  const confirm = () => act(player, () => ask("POST", `${at(player)}/limits/confirm`), t("player_limits_confirmed"));
  return (
    <>
      {DAY.some((name) => limits[name] !== null) ? (
        <Listed limits={limits} />
      ) : (
        <p class="small">{t("player_limits_none")}</p>
      )}
      {later && (
        <>
          <p class="small">{t("player_limits_later", { at: dateTime(Date.parse(String(later_from))) })}</p>
          <Listed limits={later} />
          <button type="button" class="quiet" onClick={() => void confirm()}>
            {t("player_limits_confirm")}
          </button>
        </>
      )}
      <ActForm submit={t("player_limits_apply")} ready={asked.every(([, value]) => value !== undefined)} run={set}>
        <MoneyField label={t("player_loss_day")} of={fields.loss_day} optional />
        <MoneyField label={t("player_wager_day")} of={fields.wager_day} optional />
        <TextField
          label={t("player_minutes_day")}
          of={fields.minutes_day}
          {...(read("minutes_day") === undefined ? { hint: t("player_minutes_wrong") } : {})}
        />
      </ActForm>
    </>
  );
}

const DAYS = ["1", "7", "30", "180", "365", "0"] as const;
/** The house's clock may be ahead of ours: an exclusion is rather a little longer than too short to be taken. */
const MARGIN = 600_000;

function Exclude({ player }: { player: string }) {
  const days = useSignal<(typeof DAYS)[number]>("1");
  const [reason, sure] = [useSignal(""), useSignal(false)];
  const exclude = () => {
    const until =
      days.value === "0" ? null : new Date(Date.now() + Number(days.value) * 86_400_000 + MARGIN).toISOString();
    sure.value = false;
    return act(
      player,
      () => ask("POST", `${at(player)}/exclusion`, { own: true, until, reason: reason.value.trim() }),
      t("player_excluded_now"),
    );
  };
  return (
    <ActForm submit={t("player_exclude")} ready={sure.value} danger run={exclude}>
      <h3>{t("player_exclude_own")}</h3>
      <p>{t("player_exclude_text")}</p>
      <Choice
        label={t("player_exclude_for")}
        of={days}
        options={DAYS.map((value) => ({ value, text: t(`player_days_${value}` as Key) }))}
      />
      <TextField label={t("reason")} of={reason} />
      <Switch label={t("player_exclude_sure")} of={sure} />
    </ActForm>
  );
}

function Seat({ player }: { player: string }) {
  const terminal = useSignal("");
  const sit = () =>
    act(player, () => ask("POST", `${at(player)}/seat`, { place: terminal.value.trim() }), t("player_seated"));
  return (
    <ActForm submit={t("player_seat_known")} ready={terminal.value.trim() !== ""} run={sit}>
      <TextField label={t("player_terminal")} of={terminal} required />
    </ActForm>
  );
}
