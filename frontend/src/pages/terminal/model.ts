/** The Player Terminal: a seat with a connection. The views read its signals and call its acts. */
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { tell, warn } from "../../lib/announce.ts";
import { freshId } from "../../lib/api.ts";
import { Connection } from "../../lib/connection.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { afterFirstPicture } from "../../lib/later.ts";
import { isSaid, warnSeconds } from "../../lib/phase.ts";
import { Reveal, thrown } from "../../lib/reveal.ts";
import { inOrder } from "../../lib/roads.ts";
import { SlipSender } from "../../lib/sender.ts";
import { type OwnAct, type Reason, reduce, type Slip, type SlipAction, toSend, total } from "../../lib/slip.ts";
import { play as sound } from "../../lib/sounds.ts";
import type {
  FeltView,
  FromServer,
  FromTerminal,
  Refused,
  RoundView,
  SessionView,
  Settled,
  Snapshot,
  TableView,
} from "../../lib/types.ts";
import { announceRound, noMoreBets, soundOfWin, voided } from "./calls.ts";
import { Device } from "./device.ts";
import { type Errand, Errands } from "./errands.ts";
import { Proving } from "./proving.ts";
import { Reality } from "./reality.ts";
import { newestFirst, type OwnLimits, Seat } from "./seat.ts";

export interface Credentials {
  readonly table: string;
  readonly terminal: string;
  readonly key: string;
}

const TICK = 100;
const ANSWER_WITHIN = 3_000; // after the close, what is still unanswered counts as not registered
const MARKS_STAY = 6_000;
const HISTORY_KEPT = 120;
/** What the player does is on the felt at once; what the server says, with the next frame. */
const OWN_HAND: ReadonlySet<string> = new Set<OwnAct["do"]>([
  "add",
  "remove",
  "undo",
  "clear",
  "rebet",
  "double",
  "apply",
]);

export class Terminal extends Seat {
  readonly connection: Connection;
  /** Since the last connection the server has told how the session stands. */
  readonly synced = signal(false);
  readonly online = computed(() => this.connection.state.value === "live" || this.connection.state.value === "slow");
  readonly device = new Device((message) => this.connection.send(message));
  readonly takesBets = computed(() => {
    const round = this.round.value;
    const open = round?.phase === "betting" && !round.held && this.deadline.inTime.value;
    const ready = this.online.value && this.synced.value && this.device.service.value === "in-service";
    return open && ready && this.session.value !== null && !this.checkDue.value;
  });

  /** What the server says of a result waits until the dice on the screen lie still. */
  readonly reveal = new Reveal<FromServer>((message) => batch(() => this.#receive(message)));
  /** What the house says is checked as it comes, before the dice. */
  readonly proving = new Proving(
    () => (this.session.value ? { player: this.session.value.session, slip: this.slip.value } : null),
    () => import("../../verify/seat.ts"),
    (round, doubt) => {
      warn(t(`proof_${doubt}`, { round }));
      this.device.callAttendant(true);
    },
  );
  readonly #errands: Errands;
  readonly #reality = new Reality();
  readonly #places = new Set<string>();
  readonly #sender: SlipSender;
  #marksTimer: ReturnType<typeof setTimeout> | undefined;
  #expireTimer: ReturnType<typeof setTimeout> | undefined;
  #lastSecond: number | null = null;
  #frame = 0;

  constructor(readonly credentials: Credentials) {
    super();
    this.#errands = new Errands(credentials.terminal, (message) => this.connection.send(message));
    this.connection = new Connection({
      url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/terminal`,
      clock: this.clock,
      hello: (last_seq) => ({ type: "Hello", ...credentials, last_seq }),
      receive: (message) => batch(() => this.#heard(message)),
    });
    this.#sender = new SlipSender({
      waiting: () => (this.online.value && this.synced.value ? toSend(this.slip.value, this.rules.value) : null),
      send: (slip) => this.#place(slip),
    });
  }

  start(): () => void {
    this.connection.start();
    afterFirstPicture(this.proving.fetch);
    const device = this.device.start();
    const watch = effect(() => {
      if (!this.online.value) batch(() => this.#cutOff());
    });
    const timer = setInterval(() => batch(() => this.#tick()), TICK);
    return () => {
      watch();
      device();
      clearInterval(timer);
      this.connection.stop();
    };
  }

  // --- what the player does ---------------------------------------------------------------------------

  add = (box: string): void => {
    const before = this.slip.value.wanted[box] ?? 0;
    if (!this.act({ do: "add", box, amount: this.chip.value })) return;
    const taken = (this.slip.value.wanted[box] ?? 0) > before;
    sound(taken ? "chip" : "refused");
    if (taken) this.#tellBelowMinimum(box);
  };

  remove = (box: string): boolean => {
    if (!this.slip.value.wanted[box]) return false;
    if (this.act({ do: "remove", box, amount: this.chip.value })) sound("remove");
    return true;
  };

  /** Every change by the player's own hand, from a box, a button, a key or a saved slip, passes here. */
  act = (action: OwnAct): boolean => {
    const open = this.takesBets.value;
    if (open) {
      this.#dispatch(action);
      this.#sender.changed();
    } else this.#shut();
    return open;
  };

  /** The player's next press: what was still shown of the last round has been seen. */
  pressed = (): void => {
    if (!this.after.value) return;
    this.after.value = null;
    this.#paint();
  };

  buyIn = (amount: number): void => this.#askMoney({ type: "CashIn", id: freshId(), amount });
  ticketIn = (number: string): void => this.#askMoney({ type: "TicketIn", id: freshId(), number });
  cashOut = (): void =>
    this.#askMoney({ type: "CashOutAll", id: freshId(), session: this.session.value?.session ?? null });

  ticketTaken = (): void => {
    this.#errands.ticketTaken();
    this.ticket.value = null;
  };

  /** The player has seen the reality check and goes on; the server takes no bet before it knows. */
  continuePlay = (): void => {
    if (!this.#ask({ type: "ConfirmCheck", id: freshId() })) return;
    this.#reality.confirmed(this.clock.now());
    this.checkDue.value = false;
  };

  setLimits = (limits: OwnLimits): boolean => this.#ask({ type: "SetLimits", id: freshId(), ...limits });
  confirmLimits = (): boolean => this.#ask({ type: "ConfirmLimits", id: freshId() });

  // --- what the server says -----------------------------------------------------------------------------

  /** Everything in its order. A new beginning, or a round that goes on without waiting for us, ends the throw. */
  #heard(message: FromServer): void {
    const moves = message.type === "RoundChanged" ? message.round : null;
    const dice = moves && thrown(this.round.value, moves);
    const goneOn = moves !== null && moves.number !== this.round.value?.number;
    this.reveal.take(message, dice, goneOn || message.type === "Snapshot");
  }

  #receive(message: FromServer): void {
    switch (message.type) {
      case "Snapshot":
        return this.#snapshot(message);
      case "RoundChanged":
        this.clock.hint(message.server_time);
        if (message.history)
          this.history.value = inOrder([...this.history.value, ...message.history]).slice(-HISTORY_KEPT);
        return this.#roundIs(message.round);
      case "TableChanged":
        this.clock.hint(message.server_time);
        this.history.value = inOrder([...this.history.value, ...message.table.history]).slice(-HISTORY_KEPT);
        this.#tableIs(message.table, message.felt);
        if (message.table.round) this.#roundIs(message.table.round); // a round that opens by other rules comes with them
        return undefined;
      case "SlipRegistered":
        this.#places.delete(message.id);
        this.#money({ credit: message.credit, staked: message.staked });
        this.#dispatch({ do: "registered", ...message });
        this.proving.registered();
        this.#sender.changed();
        return this.#tellStakes();
      case "SlipProven":
        return this.proving.proven(message);
      case "Refused":
        return this.#refused(message);
      case "Settled":
        return this.#settled(message);
      case "CreditChanged":
        this.#errands.answered(message.id);
        this.#money({ credit: message.credit, net: message.net, owed: message.owed });
        return tell(t("credit_now", { amount: this.spoken(message.credit) }));
      case "TicketIssued":
        this.#errands.answered(message.id);
        this.#money({ credit: message.credit });
        if (!message.credit) this.#sessionEnded(); // what comes next is another session
        this.ticket.value = message.ticket;
        return;
      case "SessionChanged":
        return this.#sessionIs(message.session);
      case "ServiceChanged":
        this.device.service.value = message.service;
        return;
      case "Readiness":
        this.readiness.value = message;
        return;
      case "Done":
        if (this.#errands.answered(message.id)?.endsWith("Limits")) tell(t("own_limits_set"));
        return undefined;
      default:
        return undefined;
    }
  }

  #snapshot(message: Snapshot): void {
    this.clock.hint(message.server_time);
    this.history.value = inOrder(message.table.history);
    this.#tableIs(message.table, message.felt);
    const { round } = message.table;
    this.proving.cutOff();
    this.proving.look(message.table.name, null, round, false);
    this.round.value = round;
    this.deadline.look(this.round.value);
    const session = message.session;
    this.session.value = session;
    this.device.service.value = message.service;
    if (session) this.recall.value = newestFirst(session.recall);
    const here = session && round && session.slip_round === round.number;
    this.#dispatch({
      do: "snapshot",
      round: round?.number ?? null,
      open: this.#roundOpen(round),
      slip: here ? session.slip : {},
      version: here ? session.slip_version : 0,
      credit: session?.credit ?? 0,
      previous: Object.fromEntries(
        (session ? (this.recall.value[0]?.bets ?? []) : []).map((bet) => [bet.box, bet.stake]),
      ),
    });
    this.#begun(session);
  }

  /** Snapshot or session: from now on bets may be taken, and what is still wanted goes again. */
  #begun(session: SessionView | null): void {
    const last = session ? this.recall.value[0] : undefined;
    this.played.value = last && last.round === this.round.value?.number ? last : null;
    if (this.#reality.look(session)) this.checkDue.value = false; // it was another player's
    if (!this.synced.value) {
      this.device.back();
      this.#errands.again();
    }
    const again = !this.synced.value && toSend(this.slip.value, this.rules.value) !== null;
    this.synced.value = true;
    if (again) this.#notice({ key: "bets_sent_again" });
    this.#sender.changed();
    this.#paintSoon();
  }

  #cutOff(): void {
    untracked(() => {
      this.reveal.flush();
      this.synced.value = false;
      this.proving.cutOff();
      this.#places.clear();
      this.#dispatch({ do: "cut-off" });
    });
  }

  #tableIs(table: TableView, felt: FeltView): void {
    this.table.value = table;
    this.felt.value = felt;
    this.#paintSoon();
  }

  #sessionIs(session: SessionView): void {
    this.session.value = session;
    this.recall.value = newestFirst(session.recall);
    const { slip_round: round, slip, slip_version: version, credit } = session;
    this.#dispatch({ do: "session", round, slip, version, credit });
    this.#begun(session);
  }

  #money(part: Partial<Pick<SessionView, "credit" | "net" | "staked" | "last_win" | "owed">>): void {
    const session = this.session.value;
    if (session) this.session.value = { ...session, ...part };
    if (part.credit !== undefined) this.#dispatch({ do: "credit", credit: part.credit });
  }

  #roundOpen(round: RoundView | null): boolean {
    return round?.phase === "betting" && !round.held && this.deadline.inTime.value;
  }

  #roundIs(round: RoundView): void {
    const before = this.round.value;
    const wasInTime = this.deadline.inTime.value;
    if (this.#roundOpen(before) && round.phase !== "betting") this.#sender.flush();
    this.proving.look(this.table.value!.name, before, round, true);
    this.round.value = round;
    this.deadline.look(this.round.value);
    const isNew = before?.number !== round.number;
    if (isNew) {
      // Where no clock hurries anybody, the result stays until the player's next press.
      this.after.value =
        before?.dice && this.table.value?.untimed ? { round: before, played: this.played.value } : null;
      this.played.value = null;
    }
    this.#dispatch({ do: "round", round: round.number, open: this.#roundOpen(round) });
    if (round.phase === "void" || round.dice || round.known) this.#dispatch({ do: "expire" });
    else if (before?.phase === "betting" && round.phase !== "betting") this.#expireSoon();
    announceRound(before, round, wasInTime);
    if (round.phase === "void" && before?.phase !== "void") this.#notice(voided(round));
    this.#paintSoon();
  }

  #refused(message: Refused): void {
    const reason: Reason = { sentences: message.sentences, lateByMs: message.late_by_ms };
    if (this.#places.delete(message.id)) {
      const box = message.facts["box"];
      const version = message.facts["registered"];
      this.#dispatch({
        do: "refused",
        id: message.id,
        code: message.code,
        box: typeof box === "string" ? box : null,
        registeredVersion: typeof version === "number" ? version : null,
        reason,
      });
      this.#sender.changed();
      if (message.code === "reality_check_due") this.checkDue.value = true;
    } else if (this.#errands.stays(message.id, message.code)) this.#notice({ key: "made_again" });
    else {
      this.#errands.answered(message.id);
      this.#notice(reason);
    }
    sound("refused");
  }

  #settled({ played, credit, net, wagered, owed }: Settled): void {
    const session = this.session.value;
    // A round that is put right later says nothing of the bets that are on the felt now.
    const newest = played.round >= (this.slip.value.round ?? 0);
    const last = newest ? { staked: 0, last_win: Math.max(0, played.returned - played.staked) } : {};
    if (session) this.session.value = { ...session, credit, net, wagered, owed, ...last };
    this.recall.value = newestFirst([played, ...this.recall.value.filter((one) => one.round !== played.round)]);
    this.#dispatch({ do: "credit", credit });
    if (played.round === this.round.value?.number) this.played.value = played;
    const gain = played.returned - played.staked;
    soundOfWin(played);
    if (played.staked) tell(t("announce_settled", { returned: this.spoken(played.returned), net: this.net(gain) }));
    this.#paintSoon();
  }

  // --- inside ------------------------------------------------------------------------------------------

  #ask(errand: Errand): boolean {
    const asked = this.#errands.ask(errand);
    if (!asked) this.#notice({ key: "not_sent" });
    return asked;
  }

  #askMoney(errand: Errand): void {
    if (this.#errands.money) this.#notice({ key: "not_answered_yet" });
    else this.#ask(errand);
  }

  #sessionEnded(): void {
    this.session.value = null;
    this.checkDue.value = false;
  }

  #place(slip: Slip): boolean {
    const state = this.slip.value;
    const id = freshId();
    const version = state.version + 1;
    if (state.round === null) return false;
    const message: FromTerminal = { type: "Place", id, round: state.round, version, slip, all_or_nothing: state.whole };
    if (!this.connection.send(message)) return false;
    this.#places.add(id);
    this.#dispatch({ do: "sending", id, slip });
    return true;
  }

  #dispatch(action: SlipAction): void {
    const before = this.slip.value;
    const after = reduce(before, action, this.rules.value);
    if (after === before) return;
    batch(() => {
      this.slip.value = after;
      if (OWN_HAND.has(action.do)) this.#paint();
      else this.#paintSoon();
      if (after.notice && after.notice !== before.notice) this.#notice(after.notice);
    });
  }

  #notice(reason: Reason): void {
    this.message.value = reason;
    warn(this.say(reason));
    clearTimeout(this.#marksTimer);
    this.#marksTimer = setTimeout(() => {
      this.message.value = null;
      this.#dispatch({ do: "forget-marks" });
    }, MARKS_STAY);
  }

  #shut(): void {
    if (this.checkDue.value) return;
    const link = `link_${this.connection.state.value.replaceAll("-", "_")}` as Key;
    this.#notice({ key: this.online.value ? this.whyShut.value : link });
  }

  /** After a message: once for the next frame, however many messages come before it. */
  #paintSoon(): void {
    if (document.hidden) this.#paint();
    else this.#frame ||= requestAnimationFrame(() => batch(() => this.#paint()));
  }

  #paint(): void {
    this.#frame = 0;
    this.paint();
  }

  #tellStakes(): void {
    const state = this.slip.value;
    if (!state.sent.length) tell(t("stakes_registered", { amount: this.spoken(total(state.registered)) }));
  }

  #tellBelowMinimum(box: string): void {
    const amount = this.slip.value.wanted[box] ?? 0;
    const { minimum } = this.limitOf(box);
    const source = this.source(this.table.value?.clauses["below_minimum"]);
    if (amount < minimum) tell(t("below_minimum_hint", { minimum: this.spoken(minimum), source }));
  }

  #tick(): void {
    const wasInTime = this.deadline.inTime.value;
    const stops = this.deadline.stopsAt(this.round.value);
    if (wasInTime && stops !== null && this.clock.now() + TICK >= stops) this.#sender.flush();
    this.deadline.look(this.round.value);
    const open = this.#roundOpen(this.round.value);
    if (wasInTime && !this.deadline.inTime.value && this.round.value?.phase === "betting") {
      noMoreBets();
      this.#dispatch({ do: "close" });
      this.#expireSoon();
    } else if (open && !this.slip.value.open && this.round.value)
      this.#dispatch({ do: "round", round: this.round.value.number, open });
    this.#countDown();
    this.now.value = Math.floor(this.clock.now() / 1000);
    this.#checkReality();
    this.device.renew(
      !Object.keys(this.slip.value.wanted).length && !this.#errands.some && !this.deadline.inTime.value,
    );
  }

  #countDown(): void {
    const left = this.deadline.inTime.value ? this.deadline.left.value : null;
    const before = this.#lastSecond;
    if (left === before) return;
    this.#lastSecond = left;
    if (left === null || left === 0) return;
    if (isSaid(before, left)) warn(t("seconds_left", { n: left }));
    if (left <= warnSeconds(this.round.value)) sound("tick");
  }

  #expireSoon(): void {
    clearTimeout(this.#expireTimer);
    this.#expireTimer = setTimeout(() => this.#dispatch({ do: "expire" }), ANSWER_WITHIN);
  }

  /** Comes due by the clock, and shows itself between rounds: never over bets that still can change. */
  #checkReality(): void {
    const session = this.session.value;
    if (!session || this.checkDue.value || !this.#reality.isDue(session, this.clock.now())) return;
    const between = this.round.value?.phase !== "betting" && this.round.value?.phase !== "closed";
    if (between || !Object.keys(this.slip.value.wanted).length) this.checkDue.value = true;
  }
}
