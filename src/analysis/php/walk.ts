import { ORIGIN, POSITIONS } from '../origin.ts';
import { ShellCommands } from '../shell-commands.ts';
import type { Signal } from '../signal.ts';
import { CHECKS_HOSTS, CHECKS_UPLOADS, type Guard } from './functions.ts';
import { nothingNoted, takesWhole } from './noted.ts';
import { Reader } from './reader.ts';
import { Runs } from './runs.ts';
import { PHP } from './signals.ts';
import type { FunctionSummary, Shared, Sink } from './summary.ts';
import { isFromCaller, isProperty, isSuperglobal, UPLOADS } from './superglobals.ts';
import type { PhpToken } from './token.ts';
import { constant, from, UNKNOWN, type Value, withoutPositions } from './value.ts';

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

const VARIABLES_MAX = 5_000;

/** The state of reading one file: where it is, and what is known of every variable and function. */
export class Walk extends Reader {
  /** Findings are reported in the second reading alone, when every function is known. */
  readonly reporting: boolean;
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
  /** What classes set their properties to where they declare them, which may be behind the methods. */
  readonly declared: Map<string, Value>;
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
  readonly runs: Runs;
  /** Files and variables with the path of one, into which something was written that is not the program's own. */
  readonly written = new Set<string>();
  /** What the file fetches, and commands that it runs. */
  readonly commands = new ShellCommands();
  /** Where the arguments of the call begin that is looked at, with their parenthesis. */
  argumentsAt = 0;
  readonly #where: (at: number) => string;
  /** From which token on which checks hold outside of functions. */
  readonly #checkedFrom: { from: number; guards: ReadonlySet<Guard>; refusesOthers: boolean }[] = [];

  constructor(tokens: readonly PhpToken[], shared: Shared, where: (at: number) => string, first?: Walk) {
    super(tokens, shared);
    this.#where = where;
    this.reporting = first !== undefined;
    this.runs = new Runs(tokens, shared, first?.runs);
    this.functions = first?.functions ?? new Map();
    this.propertyReaches = first?.propertyReaches ?? new Set();
    this.earlier = first?.earlier ?? new Map();
    this.declared = first?.declared ?? new Map();
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
    if (isFromCaller(name)) {
      this.requestReads++;
      if (UPLOADS.has(name)) return from(ORIGIN.request | ORIGIN.upload);
      if (takesWhole(this)) this.noted.wholeReads++;
      return from(ORIGIN.request);
    }
    const known = this.#scopeOf(name).get(name);
    if (known) return known;
    if (name === 'argv') return UNKNOWN;
    const earlier = this.earlier.get(this.#scoped(name)) ?? ORIGIN.none;
    if (isProperty(name)) {
      const declared = this.declared.get(name);
      return declared && !(earlier & ~declared.origins) ? declared : from(earlier);
    }
    if (this.takesRequestVariables) return from(earlier | ORIGIN.request);
    // What nobody has set is empty, outside of functions and objects.
    return this.scope === '' ? constant('', earlier) : from(earlier);
  }

  /** A variable or a constant item of one, as a key that is the same wherever a function reads it. */
  placeKey(name: string, key = ''): string {
    return `${this.scope}$${name}[${key}`;
  }

  assign(name: string, assigned: Value): void {
    const value = isProperty(name) ? withoutPositions(assigned) : assigned;
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
    return isProperty(name) ? this.globals : this.variables;
  }

  #scoped(name: string): string {
    return isProperty(name) ? name : `${this.scope}$${name}`;
  }
}
