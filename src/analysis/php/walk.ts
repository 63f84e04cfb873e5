import { ORIGIN, POSITIONS } from '../origin.ts';
import type { Signal } from '../signal.ts';
import type { Guard } from './functions.ts';
import { nothingNoted, takesWhole } from './noted.ts';
import { PHP } from './signals.ts';
import type { PhpToken } from './token.ts';
import { constant, from, UNKNOWN, type Value, withoutPositions } from './value.ts';

/** What one reading of a function taught: which dangers its parameters reach, and what it gives back. */
export interface FunctionSummary {
  /** Sinks that a parameter reaches, with the positions of those that do. */
  readonly reaches: Map<Sink, number>;
  /** Of these, the ones that a parameter reaches as it is, with nothing of the function's own before or behind it. */
  readonly reachesWhole: Set<Sink>;
  /** Checks that it makes. */
  readonly guards: Set<Guard>;
  /** How many parameters it has. */
  readonly parameters: number;
  /** Origins of what it returns; `parameter` stands for those of its arguments. */
  returns: number;
}

const GUARDS_COUNT = 2;

/** What those who administer a site do with its files in plugins that serve for it. */
const ADMINISTERED: ReadonlySet<Signal> = new Set<Signal>([
  PHP.writeRequest,
  PHP.writeRequestPhp,
  PHP.writeRequestData,
  PHP.uploadOpen,
  PHP.uploadHere,
  PHP.uploadChecked,
  PHP.filesRequest,
  PHP.filesRequestPart,
]);

export type Sink = 'code' | 'command' | 'include' | 'callback' | 'file' | 'upload';

/** Deeper nesting is not followed. */
const DEPTH_MAX = 60;
const VARIABLES_MAX = 5_000;
/** Characters that decoding may read and write in one analysis. */
export const DECODING_BUDGET_CHARS = 1024 * 1024;

const FROM_REQUEST = new Set([
  '_GET',
  '_POST',
  '_REQUEST',
  '_COOKIE',
  'HTTP_RAW_POST_DATA',
  'HTTP_GET_VARS',
  'HTTP_POST_VARS',
  'HTTP_COOKIE_VARS',
  'HTTP_REQUEST_VARS',
]);
const UPLOADS = new Set(['_FILES', 'HTTP_POST_FILES']);
export const isFromCaller = (name: string): boolean => FROM_REQUEST.has(name) || UPLOADS.has(name);
/** Calls by which code looks at the name or kind of an upload. */
export const CHECKS_UPLOADS: ReadonlySet<string> = new Set([
  'preg_match',
  'in_array',
  'wp_check_filetype',
  'wp_check_filetype_and_ext',
  'getimagesize',
  'exif_imagetype',
  'mime_content_type',
]);
const CHECKS_HOSTS: ReadonlySet<string> = new Set(['curlopt_ssl_verifypeer']);

const isSuperglobal = (name: string): boolean =>
  isFromCaller(name) || name === '_SERVER' || name === 'HTTP_SERVER_VARS';

/** Characters of long texts that may be taken from where they are kept, in one analysis; each may be read through every time. */
export const RECALL_BUDGET_CHARS = 2 * 1024 * 1024;
const SHORT_TEXT_CHARS = 64;
/** What a look at an item takes from the decoding budget. */
export const ITEM_COST_CHARS = 16;
/** What unfolding takes from it besides the lengths before and afterwards. */
export const INFLATE_COST_CHARS = 2_000;

/** What all layers of one analysis share. */
export interface Shared {
  readonly report: (signal: Signal, where: string) => void;
  /** Takes characters from the decoding budget; false when it is used up. */
  readonly spend: (chars: number) => boolean;
  /** Takes characters from the budget for long texts; false when it is used up. */
  readonly recall: (chars: number) => boolean;
  /** Reads text that the code would run. */
  readonly readLayer: (code: string, where: string) => void;
}

/** The state of reading one file: where it is, and what is known of every variable and function. */
export class Walk {
  position = 0;
  /** Findings are reported in the second reading alone, when every function is known. */
  readonly reporting: boolean;
  depth = 0;
  /** Where the statement being read begins. */
  statementAt = 0;
  variables = new Map<string, Value>();
  readonly globals = this.variables;
  /** Of files and classes, lower-case. */
  readonly constants = new Map<string, Value>();
  /** The function that is being read; empty outside of any. */
  scope = '';
  /** Blocks that may not be run, around the statement that is being read. */
  branches = 0;
  readonly functions: Map<string, FunctionSummary>;
  /** Sinks that a property reaches which a parameter was kept in. */
  readonly propertyReaches: Set<Sink>;
  current: FunctionSummary | undefined;
  /** Origins that variables had at the end of the first reading: what loops bring round. */
  readonly earlier: Map<string, number>;
  /** Calls by name, and other facts for the profile of the file. */
  readonly calls = new Map<string, number>();
  readonly requestFiles = new Set<string>();
  requestReads = 0;
  /** Reads of who the visitor is and where from. */
  visitorReads = 0;
  /** Reads of passwords and card data that the request brings. */
  secretReads = 0;
  /** Content of other hosts that goes into the page. */
  remoteUses = 0;
  /** Whether what is printed is a page: until a header says that it is data. */
  answersPage = true;
  jumps = 0;
  /** Characters that can be typed, given by their codes. */
  characterCodes = 0;
  /** Whether anything happens outside of functions. */
  acts = false;
  /** Whether anything is run as PHP. */
  runsCode = false;
  /** Whether a command is run that is not left to the callers of a function. */
  runsOwnCommand = false;
  /** Where something of a request that brings a secret may be sent away. */
  sendsAt: number | undefined;
  /** Whether arguments that were read last have names, so that their order says nothing. */
  namesArguments = false;
  /** Whether PHP files are searched for. */
  findsPhp = false;
  /** Where an account is made with a password that the file or the request brings. */
  newUserAt: number | undefined;
  /** Whether the name or kind of an upload is looked at anywhere. */
  checksUploads = false;
  /** Whether it is asked for that other hosts prove who they are. */
  checksHosts = false;
  /** Whether the file has ended before for whoever may not administer the site. */
  refusesOthers = false;
  readonly noted = nothingNoted();
  /** Which parameters of the function that is being read hold a password, by their names. */
  passwordBits = 0;
  /** Places that a check restricts, with the origins that say so. */
  readonly checked = new Map<string, number>();
  /** Kinds of check that the statement being read stands behind, in its own function or in one that it called. */
  guards: ReadonlySet<Guard> = new Set();
  /** Whether the request may have set any variable (extract, register_globals by hand). */
  takesRequestVariables = false;

  /** What was found in each function, by its scope. */
  readonly foundIn = new Map<string, Map<Signal, string>>();

  readonly tokens: readonly PhpToken[];
  readonly shared: Shared;
  readonly #where: (at: number) => string;
  /** From which token on which checks hold outside of functions. */
  readonly #checkedFrom: { from: number; guards: ReadonlySet<Guard>; refusesOthers: boolean }[] = [];

  constructor(tokens: readonly PhpToken[], shared: Shared, where: (at: number) => string, first?: Walk) {
    this.tokens = tokens;
    this.shared = shared;
    this.#where = where;
    this.reporting = first !== undefined;
    this.functions = first?.functions ?? new Map();
    this.propertyReaches = first?.propertyReaches ?? new Set();
    this.earlier = first?.earlier ?? new Map();
    this.checksUploads = first?.checksUploads ?? false;
    this.checksHosts = first?.checksHosts ?? false;
  }

  /** Takes over what the reading of a whole file knew before it came to one of its parts, and what it learnt of variables. */
  startAt(position: number, whole: Walk): void {
    for (const [name, value] of whole.globals) this.variables.set(name, value);
    for (const [name, value] of whole.constants) this.constants.set(name, value);
    this.takesRequestVariables = whole.takesRequestVariables;
    const before = whole.#checkedFrom.findLast(({ from }) => from <= position);
    this.guards = before?.guards ?? new Set();
    this.refusesOthers = before?.refusesOthers ?? false;
    const has = (names: ReadonlySet<string>) => this.tokens.some(({ text }) => names.has(text));
    this.checksUploads = whole.checksUploads && has(CHECKS_UPLOADS);
    this.checksHosts = whole.checksHosts && has(CHECKS_HOSTS);
  }

  /** Notes what holds from here on for what stands outside of functions and blocks. */
  noteChecks(): void {
    const { position: from, guards, refusesOthers } = this;
    this.#checkedFrom.push({ from, guards, refusesOthers });
  }

  get token(): PhpToken | undefined {
    return this.tokens[this.position];
  }

  peek(ahead: number): PhpToken | undefined {
    return this.tokens[this.position + ahead];
  }

  isOperator(text: string, ahead = 0): boolean {
    const token = this.tokens[this.position + ahead];
    return token !== undefined && token.kind === 'operator' && token.text === text;
  }

  isName(text: string): boolean {
    const { token } = this;
    return token !== undefined && token.kind === 'name' && token.text === text;
  }

  /** Steps over an operator if it stands here. */
  accept(text: string): boolean {
    if (!this.isOperator(text)) return false;
    this.position++;
    return true;
  }

  /** Goes one level down; false, and one token on, when that is too deep. */
  enter(): boolean {
    if (this.depth >= DEPTH_MAX) {
      this.position++;
      return false;
    }
    this.depth++;
    return true;
  }

  leave(): void {
    this.depth--;
  }

  /** Whether only somebody gets here who may administer the site, and meant to come unless the whole file is for those. */
  get isAdministered(): boolean {
    return this.refusesOthers || this.guards.size === GUARDS_COUNT;
  }

  noteAction(): void {
    if (this.scope === '') this.acts = true;
  }

  addGuards(guards: Iterable<Guard>): void {
    this.guards = new Set([...this.guards, ...guards]);
    for (const guard of guards) this.current?.guards.add(guard);
    if (this.scope === '' && this.branches === 0) this.noteChecks();
  }

  /** Reports a finding; `detail` is a word of ours, never the caller's. */
  report(signal: Signal, at: number, detail = ''): void {
    if (!this.reporting) return;
    const seen = this.isAdministered && ADMINISTERED.has(signal) ? PHP.administered : signal;
    const place = detail ? `${detail}, ${this.#where(at)}` : this.#where(at);
    this.shared.report(seen, place);
    if (this.scope !== '') this.#noteIn(this.scope, seen, place);
  }

  #noteIn(scope: string, signal: Signal, place: string): void {
    const found = this.foundIn.get(scope) ?? new Map<Signal, string>();
    this.foundIn.set(scope, found);
    if (!found.has(signal)) found.set(signal, place);
  }

  /** Notes that a parameter of the function being read reaches a sink: calls of it will be looked at. */
  noteParameter(sink: Sink, origins: number): void {
    if (!(origins & ORIGIN.parameter)) return;
    const { current } = this;
    current?.reaches.set(sink, (current.reaches.get(sink) ?? 0) | (origins & POSITIONS || POSITIONS));
    if (!(origins & ORIGIN.partial)) current?.reachesWhole.add(sink);
    if (current?.parameters === 0) this.propertyReaches.add(sink);
  }

  isAssigned(name: string): boolean {
    return this.#scopeOf(name).has(name);
  }

  whereOf(at: number): string {
    return this.#where(at);
  }

  variable(name: string): Value {
    // Nothing sets it, and methods are full of it: nothing need be looked up.
    if (name === 'this' && !this.takesRequestVariables && this.scope !== '' && !this.isAssigned(name))
      return UNKNOWN;
    if (FROM_REQUEST.has(name)) {
      this.requestReads++;
      if (takesWhole(this)) this.noted.wholeReads++;
      return from(ORIGIN.request);
    }
    if (UPLOADS.has(name)) {
      this.requestReads++;
      return from(ORIGIN.request | ORIGIN.upload);
    }
    const known = this.#scopeOf(name).get(name);
    if (known) return known;
    if (name === 'argv') return UNKNOWN;
    const earlier = this.earlier.get(this.#scoped(name)) ?? ORIGIN.none;
    if (this.takesRequestVariables && !name.startsWith('->')) return from(earlier | ORIGIN.request);
    // What nobody has set is empty, outside of functions and objects.
    return this.scope === '' && !name.startsWith('->') ? constant('', earlier) : from(earlier);
  }

  /** A variable or a constant item of one, as a key that is the same wherever a function reads it. */
  placeKey(name: string, key = ''): string {
    return `${this.scope}$${name}[${key}`;
  }

  assign(name: string, assigned: Value): void {
    const value = name.startsWith('->') ? withoutPositions(assigned) : assigned;
    if (this.checked.size > 0) this.checked.delete(this.placeKey(name));
    if (isSuperglobal(name)) return;
    const variables = this.#scopeOf(name);
    const before = variables.get(name);
    if (this.branches > 0 && before && before.origins & ORIGIN.request && value.origins === ORIGIN.none)
      return;
    if (variables.size < VARIABLES_MAX || variables.has(name)) variables.set(name, value);
    if (!this.reporting && value.origins !== ORIGIN.none) {
      const key = this.#scoped(name);
      this.earlier.set(key, (this.earlier.get(key) ?? 0) | (value.rest ?? value.origins));
    }
  }

  /** Notes what an item of an array is set to, for reads that a loop brings round to before it. */
  noteItem(name: string, key: string, origins: number): void {
    if (this.reporting || origins === ORIGIN.none) return;
    const place = `${this.#scoped(name)}[${key}`;
    this.earlier.set(place, (this.earlier.get(place) ?? 0) | origins);
  }

  earlierItem(name: string, key: string): number {
    return this.earlier.get(`${this.#scoped(name)}[${key}`) ?? ORIGIN.none;
  }

  #scopeOf(name: string): Map<string, Value> {
    return name.startsWith('->') ? this.globals : this.variables;
  }

  #scoped(name: string): string {
    return name.startsWith('->') ? name : `${this.scope}$${name}`;
  }

  spend(chars: number): boolean {
    return this.shared.spend(chars);
  }

  /** A value to be looked at: without its text when that is long and too many such have been looked at. */
  recall(value: Value): Value {
    const chars = value.text?.length ?? 0;
    if (chars <= SHORT_TEXT_CHARS || this.shared.recall(chars)) return value;
    const { text: _, ...others } = value;
    return others;
  }

  /** The items of an array; none when too many have been looked at. */
  itemsOf(value: Value | undefined): readonly Value[] {
    const items = value?.items;
    return items && this.spend(items.size * ITEM_COST_CHARS) ? [...items.values()] : [];
  }
}
