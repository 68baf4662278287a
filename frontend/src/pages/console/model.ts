/** Everything a Game Console knows, as signals; the views only read them and call its acts. */
import { batch, computed, effect, signal } from "@preact/signals";
import type { ActDone, ActWaiting, RoundPage } from "../../http.ts";
import { tell, warn } from "../../lib/announce.ts";
import { freshId } from "../../lib/api.ts";
import { ServerClock } from "../../lib/clock.ts";
import { Connection } from "../../lib/connection.ts";
import { Deadline } from "../../lib/deadline.ts";
import { named, said, t } from "../../lib/i18n.ts";
import { chipFigure, denominations, topChip } from "../../lib/money.ts";
import { callWords, isSaid, moodOf, warnSeconds } from "../../lib/phase.ts";
import { inOrder } from "../../lib/roads.ts";
import { play as sound } from "../../lib/sounds.ts";
import type { ConsoleView, FeltView, FromServer, ResultView, RoundView, TableView } from "../../lib/types.ts";
import { BARE, BoxSignals } from "../../ui/felt.tsx";
import { type DiceEntry, NO_DICE, press } from "../../ui/staff/dice-keypad.ts";
import { pace } from "../../ui/staff/figures.ts";
import { note } from "../../ui/staff/notice.tsx";
import { winningBoxes } from "../../ui/staff/outcomes.ts";
import { ask, cash, currency, ended, faultOf, house, whoAmI } from "../../ui/staff/session.ts";
import { BetsOnBehalf } from "./behalf.ts";
import { PayDesk } from "./pay.ts";

type Answer = ActDone | ActWaiting | { readonly status: "refused"; readonly text: string };

const refused = (text: string): Answer => ({ status: "refused", text });

const TICK = 100;
const ANSWER_WITHIN = 8_000;
/** After the table has moved on, the big button waits this long: a double press must not do two acts. */
const REST = 700;
const PACE_ROUNDS = 20;

export class Console {
  readonly clock = new ServerClock();
  readonly connection: Connection;
  readonly table = signal<TableView | null>(null);
  readonly felt = signal<FeltView | null>(null);
  readonly round = signal<RoundView | null>(null);
  readonly history = signal<readonly ResultView[]>([]);
  readonly view = signal<ConsoleView | null>(null);
  readonly deadline = new Deadline(this.clock);
  readonly busy = signal("");
  readonly resting = signal(false);
  readonly dice = signal<DiceEntry>(NO_DICE);
  readonly tumbles = signal(3);
  readonly flat = signal(true);
  readonly pace = signal<number | null>(null);
  readonly boxes = new BoxSignals((value) => signal(value));
  readonly looking = signal("");
  readonly behalf: BetsOnBehalf;
  readonly pay: PayDesk;

  readonly online = computed(() => this.connection.state.value === "live" || this.connection.state.value === "slow");
  /** No act now: the last is not answered, the table has just moved on, or the line is down. */
  readonly waits = computed(() => this.resting.value || this.busy.value !== "" || !this.online.value);
  readonly legal = computed<ReadonlySet<string>>(() => new Set(this.view.value?.legal ?? []));
  readonly nextAct = computed(() => this.view.value?.next_act ?? null);
  readonly mood = computed(() =>
    moodOf(
      this.round.value,
      this.deadline.inTime.value,
      this.deadline.left.value,
      warnSeconds(this.round.value),
      this.table.value?.closed,
    ),
  );
  /** The boxes that the entered dice would light, while they are looked at; then those of the result. */
  readonly winners = computed(() => {
    const felt = this.felt.value;
    if (!felt) return [];
    if (this.nextAct.value === "DeclareRoll") return winningBoxes(felt.boxes, this.dice.value.faces);
    const lit = new Set(this.round.value?.winning_boxes);
    return felt.boxes.filter((box) => lit.has(box.id));
  });
  readonly chips = computed(() => {
    const table = this.table.value;
    if (!table) return [];
    return denominations(table.limits.unit, table.limits.default.minimum, currency.value, house.value?.chips);
  });

  readonly #waiting = new Map<string, (answer: Answer) => void>();
  #stage = "";
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #lastSecond: number | null = null;
  #saidMood = "";

  constructor(readonly name: string) {
    this.behalf = new BetsOnBehalf(this);
    this.pay = new PayDesk(this);
    this.connection = new Connection({
      url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/console`,
      clock: this.clock,
      hello: (last_seq) => ({ type: "Hello", table: name, last_seq }),
      receive: (message) => batch(() => this.#receive(message)),
    });
  }

  start(): () => void {
    const timer = setInterval(() => batch(() => this.#tick()), TICK);
    const stops = [
      // Nobody logged in: the server would only refuse; whoever logs in next begins anew.
      effect(() => (ended.value ? this.connection.stop() : this.connection.start())),
      effect(() => this.#lostIs()),
      effect(() => this.#draw()),
      effect(() => this.#stageIs()),
      effect(() => this.pay.look()),
    ];
    return () => {
      clearInterval(timer);
      clearTimeout(this.#restTimer);
      for (const stop of stops) stop();
      this.connection.stop();
    };
  }

  // --- what the dealer does ----------------------------------------------------------------------------

  /** Asks for an act; the answer says whether it was done, waits for a second person, or was refused. */
  async act(name: string, fields: object = {}, round: number | null = null): Promise<Answer> {
    const answer = this.busy.value ? refused(t("one_act_at_a_time")) : await this.#asked(name, fields, round);
    if (answer.status === "refused") note("refused", answer.text);
    if (answer.status === "waiting") note("waiting", t("waits_for_second"));
    return answer;
  }

  async #asked(act: string, fields: object, round: number | null): Promise<Answer> {
    this.busy.value = act;
    const id = freshId();
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      setTimeout(() => resolve(refused(t("no_answer"))), ANSWER_WITHIN);
      if (!this.connection.send({ type: "ConsoleAct", id, act, fields, round })) resolve(refused(t("no_answer")));
    });
    this.#waiting.delete(id);
    this.busy.value = "";
    return answer;
  }

  /** The same, with a sentence for when it was done. True unless it was refused. */
  async done(name: string, said: string, fields: object = {}, round: number | null = null): Promise<boolean> {
    const answer = await this.act(name, fields, round);
    if (answer.status === "done") note("done", said);
    return answer.status !== "refused";
  }

  /** A key of the dice keypad, or its button on the screen; later it ticks off who has been paid. */
  press = (key: string): boolean => {
    if (this.pay.press(key)) return true;
    if (this.nextAct.value !== "DeclareRoll" || !this.legal.value.has("DeclareRoll") || this.view.value?.automatic)
      return false;
    const pressed = press(this.dice.value, key);
    if (!pressed) return false;
    const before = this.dice.value;
    this.dice.value = pressed.entry;
    if (pressed.confirmed) void this.act("DeclareRoll", { roll: pressed.entry.faces });
    else if (!before.checking && pressed.entry.checking)
      tell(t("check_the_dice", { call: callWords(pressed.entry.faces).whole }));
    return true;
  };

  // --- how things are said -----------------------------------------------------------------------------

  boxName = (box: string): string => named(this.felt.value?.boxes.find((one) => one.id === box)?.names ?? { en: box });
  chipOf = (minor: number): { figure: string; colour: number } => ({
    figure: chipFigure(minor, currency.value),
    colour: topChip(minor, this.chips.value),
  });
  spoken = (minor: number): string => cash(minor);

  // --- what the server says ----------------------------------------------------------------------------

  #receive(message: FromServer): void {
    switch (message.type) {
      case "Snapshot":
      case "TableChanged":
        this.table.value = message.table;
        if (this.felt.value?.digest !== message.felt.digest) this.felt.value = message.felt;
        this.history.value = inOrder([...this.history.value, ...message.table.history]).slice(-60);
        this.#roundIs(message.table.round);
        break;
      case "RoundChanged":
        if (message.history) this.history.value = inOrder([...this.history.value, ...message.history]).slice(-60);
        this.#roundIs(message.round);
        break;
      case "ConsoleView":
        this.view.value = message;
        break;
      case "Done":
        this.#waiting.get(message.id)?.({
          status: "done",
          happened: message.happened,
          round: null,
          amount: null,
          player: null,
          rounds: [],
          skipped: [],
          elsewhere: {},
        });
        break;
      case "NeedsApproval":
        this.#waiting.get(message.id)?.({
          status: "waiting",
          approval: message.approval,
          expires_at: message.expires_at,
        });
        break;
      case "Refused":
        this.#waiting.get(message.id)?.(refused(said(message.sentences).join(" ")));
        break;
      case "Bye":
        if (message.reason === "session-ended") ended.value = true;
        break;
      default:
        break;
    }
  }

  #roundIs(round: RoundView | null): void {
    const other = round?.number !== this.round.value?.number;
    this.round.value = round;
    if (other) {
      this.dice.value = NO_DICE;
      this.tumbles.value = 3;
      this.flat.value = true;
      void this.#readPace();
    }
    this.#tick();
  }

  async #readPace(): Promise<void> {
    try {
      const page = await ask<RoundPage>("GET", `/tables/${encodeURIComponent(this.name)}/rounds?limit=${PACE_ROUNDS}`);
      this.pace.value = pace(page.items.map((item) => item.at));
    } catch (problem) {
      console.warn(faultOf(problem)); // the pace is only a hint
    }
  }

  #tick(): void {
    this.deadline.look(this.round.value);
    const [before, left] = [this.#lastSecond, this.deadline.left.value];
    this.#lastSecond = left;
    if (left !== null && left !== before && isSaid(before, left)) warn(t("seconds_left", { n: left }));
  }

  /** A line that breaks may be a session that ended elsewhere: asking who one is tells. */
  #lostIs(): void {
    if (this.connection.state.value === "reconnecting") void whoAmI().catch(() => undefined);
  }

  /** The table moved on: the next button rests for a moment, and the phase is said. */
  #stageIs(): void {
    const stage = `${this.round.value?.number ?? 0}/${this.nextAct.value ?? ""}`;
    const mood = `${this.round.value?.number ?? 0}/${this.mood.value}`;
    if (mood !== this.#saidMood) {
      this.#saidMood = mood;
      this.#sayMood();
    }
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.resting.value = true;
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => (this.resting.value = false), REST);
  }

  #sayMood(): void {
    const [mood, dice] = [this.mood.value, this.round.value?.dice];
    if (mood === "open") sound("open");
    if (mood === "shut") sound("close");
    if (mood === "result" && dice) {
      sound("result");
      tell(callWords(dice).whole);
    } else if (mood === "shut" || mood === "last") warn(t(`mood_${mood}`));
  }

  /** What each box of the felt shows: the winners, and the bets of the table or of one player. */
  #draw(): void {
    const felt = this.felt.value;
    if (!felt) return;
    const lit = new Set(this.winners.value.map((box) => box.id));
    const { slip, registered, player } = this.behalf.shown.value;
    const totals = this.view.value?.totals ?? {};
    batch(() => {
      for (const { id } of felt.boxes) {
        const amount = player ? (slip[id] ?? 0) : (totals[id] ?? 0);
        const state = !amount ? "none" : player && amount !== (registered[id] ?? 0) ? "pending" : "registered";
        this.boxes.set(id, {
          ...BARE,
          stake: { amount, state, refused: 0 },
          lit: lit.size ? (lit.has(id) ? "won" : "lost") : "",
        });
      }
    });
  }
}
