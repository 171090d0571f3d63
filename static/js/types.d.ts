// What the server hands to the scripts of its pages, and what they keep: the types that the
// comments in the scripts name. Nothing of this is loaded by a browser.

// --- A list, as docs/formats.md has it ---------------------------------------------------

/** One reading, or several of an unclear entry. */
type Entry<T> = T | T[];

interface Adjustment {
  seat: number;
  points: number;
  reason: string;
}

/** The points of a seat, null where it sits out. */
type Hand = Entry<number> | null;

interface Line {
  finisher: Entry<number | null>;
  handromme?: Entry<boolean>;
  minus: Hand[];
  adjustments?: Adjustment[];
}

/** A line that can be read in one way only. */
interface ClearLine extends Line {
  finisher: number | null;
  handromme: boolean;
  minus: (number | null)[];
}

// --- The rules of a table: tournaments/table/queries/rules.py, scoring/bounds.py ---------

interface HandBounds {
  min: number;
  max: number;
  step: number;
  impossible: number[];
  joint_min: number[];
  joint_max: number[];
  ask_below: number;
  ask_above: number;
}

interface GameBounds {
  hand: HandBounds;
  after_handromme: HandBounds | null;
  finisher_max: number;
}

interface Round {
  contract: string;
  most: number;
  bounds: GameBounds;
}

interface Grant {
  name: string;
  points: number;
  seats: number[];
}

interface Rank {
  rank: string;
  short: string;
  name: string;
  value: number;
  count: number;
}

interface Rules {
  games: number;
  players: number;
  bonus: number;
  handromme: { bonus: number; factor: number; surcharge: number; note: string } | null;
  ends_without_finisher: boolean;
  grants: Grant[];
  card_values: string;
  cards: Rank[];
  rounds: Round[];
  valuation?: Valuation; // missing where Minuspunkte count
  sits_out?: number[]; // the seat of each game, where who deals sits out
}

interface Valuation {
  size: number; // of the table
  finish: number;
  handromme: number;
  steps: [upto: number, points: number][];
  penalty_per: number;
}

/** The key of a sentence in tournaments/table/views/texts.py, and what it is filled with. */
type Said = [key: string, values: Values];
type Values = Record<string, string | number>;

// --- The state of a list: tournaments/table/queries/state.py -----------------------------

interface Player {
  seat: number;
  number: number;
  name: string;
  club: string;
}

interface CountedGame {
  number: number;
  dealer: number;
  line: Line;
  points: number[];
  running: number[];
}

interface SeatTotal {
  seat: number;
  minus: number;
  games_won: number;
  bonus: number;
  handromme: number;
  handromme_bonus: number;
  penalty: number;
  adjustment: number;
  added?: number;
  steps?: number; // with Wertpunkten only, as the next three
  penalty_cost?: number;
  added_augen?: number;
  augen?: number;
  total: number;
  place: number | null;
  bussgeld_cents: number | null;
}

interface Signature {
  seat: number;
  method?: string;
  pending?: boolean;
}

interface TableCall {
  kind: string;
  state: "waiting" | "open" | "taken";
}

interface TableCase {
  game: number | null;
  text: string;
  state: "waiting" | "open" | "decided";
  decision?: string;
}

/** What everybody in the hall is to see, the weightiest last: tournaments/notices/queries/signs.py. */
interface HallSign {
  kind: string;
  title: string;
  text: string;
  since: string;
  until: string | null;
  ends_at: string | null;
}

/** Games of a seat that belong to somebody who no longer sits there. */
interface MovedGames {
  seat: number;
  first: number;
  last: number;
  owner_seat: number | null;
  number: number | null;
  name: string;
  total: number | null;
}

interface SeatMoves {
  after: number[];
  games: MovedGames[];
}

/** Who sits there, seat by seat: start numbers, or names without. */
type People = (number | string)[];

interface TableState {
  revision: number;
  since: string;
  version: number;
  status: string;
  tournament: string;
  players: Player[];
  bonus: number;
  bought: number[];
  listenfuehrer: number;
  is_keeper: boolean;
  has_keeper: boolean;
  on_paper: boolean;
  games_wanted?: number;
  ended?: string[];
  games: CountedGame[];
  moves?: SeatMoves; // missing where a device keeps a state from before there were any
  totals: SeatTotal[];
  signatures: Signature[];
  call: TableCall | null;
  cases: TableCase[];
  protest_until: string | null;
  ends_at: string | null;
  signs?: HallSign[]; // missing where a device keeps a state from before there were any
  now: string;
}

// --- What the device keeps and sends -----------------------------------------------------

interface GameBody {
  number: number;
  line: ClearLine;
  confirmed?: boolean;
}

interface ChangeBody {
  number: number;
  line: ClearLine | null;
  consents: number[];
  confirmed?: boolean;
}

/** What each kind of entry says. */
interface Bodies {
  game: GameBody;
  change: ChangeBody;
  sign: { seat: number; drawing: string };
  sign_paper: Record<string, never>;
  call: { call_kind: string };
  case: { game: number | null; text: string };
  keeper: { seat: number };
}

type Kind = keyof Bodies;

interface Problem {
  where: string;
  message: string;
}

interface Stopped {
  problems?: Problem[];
  conflict?: string;
}

/** Each kind with its own body, so that asking for the one tells the other. */
type Act = { [K in Kind]: { kind: K; body: Bodies[K] } }[Kind];

type NewItem = Act & {
  key: string;
  base: Line[];
  people?: People; // for whom it was made; missing in an entry from before there was any
  version: number | null;
  status: "waiting" | "conflict" | "refused" | "doubt";
  answer: Stopped | null;
  tries?: number;
};

type Item = NewItem & { id: number; path?: string };

interface Answer {
  status: number;
  ok?: boolean;
  state?: TableState;
  conflict?: string;
  refused?: string;
  ask?: Problem[];
  problems?: Problem[];
}

/** Half a game, see Draft. */
interface SavedDraft {
  number: number;
  finisher: number | null | undefined;
  handromme: boolean;
  values: Record<number, string>;
  cards: Record<number, string[]>;
  granted: number[];
  current: number;
  people?: People;
}

interface Kept {
  state?: TableState;
  offset?: number;
  rules?: Rules;
  moved?: string; // when this device saw that other people sit there
}

interface Store {
  readDraft(): SavedDraft | null;
  keepDraft(draft: SavedDraft): void;
  dropDraft(): void;
  read(): Promise<Kept | undefined>;
  update(changes: Kept): Promise<void>;
  /** Whether the database has told so far what is in the outbox. */
  readonly isRead: boolean;
  /** Whether there is something in the outbox that the page alone remembers. */
  readonly isBehind: boolean;
  newId(): number;
  items(): Promise<Item[]>;
  /** Resolves to whether it is on the device; if not, it is nowhere. */
  add(item: Item, options: { insist: boolean }): Promise<boolean>;
  /** Resolve to whether it is on the device; if not, the page remembers it. */
  put(item: Item): Promise<boolean>;
  putAll(items: Item[]): Promise<boolean>;
  remove(id: number): Promise<boolean>;
}

// --- What templates/base.html hands to the scripts of every page ---------------------------

/** The sentences in #texts. */
type PageTexts = Record<
  "days" | "failed" | "hours" | "justNow" | "minutes" | "offline" | "over" | "selected",
  string
>;

// --- Events that htmx sends --------------------------------------------------------------

interface HtmxDetail {
  elt: HTMLElement;
  target: HTMLElement;
  requestConfig: {
    elt: HTMLElement;
    parameters: Record<string, string>;
    triggeringEvent?: Event;
  };
  headers: Record<string, string>;
  serverResponse: string;
  successful: boolean;
  shouldSwap: boolean;
  xhr: XMLHttpRequest;
}

type HtmxEvent = CustomEvent<HtmxDetail>;

declare const htmx: {
  ajax(verb: string, path: string, context: object): void;
  process(element: Element): void;
  trigger(element: Element, event: string): void;
};

interface DocumentEventMap {
  "dialog-close": Event;
  "htmx:afterOnLoad": HtmxEvent;
  "htmx:afterRequest": HtmxEvent;
  "htmx:afterSettle": HtmxEvent;
  "htmx:beforeCleanupElement": HtmxEvent;
  "htmx:beforeRequest": HtmxEvent;
  "htmx:beforeSwap": HtmxEvent;
  "htmx:configRequest": HtmxEvent;
  "htmx:confirm": HtmxEvent;
  "htmx:load": HtmxEvent;
  "htmx:responseError": HtmxEvent;
  "htmx:sendError": HtmxEvent;
  "htmx:timeout": HtmxEvent;
}
