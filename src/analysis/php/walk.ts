import { ORIGIN, POSITIONS } from '../origin.ts';
import { WHOLE } from '../place.ts';
import { ShellCommands } from '../shell-commands.ts';
import type { Signal } from '../signal.ts';
import type { Fact, Facts, LocalFact } from './facts.ts';
import { CHECKS_UPLOADS, type Guard } from './functions.ts';
import { noObservations, takesWhole } from './observations.ts';
import { Reader } from './reader.ts';
import { PHP } from './signals.ts';
import type { FunctionSummary, Shared, Sink } from './summary.ts';
import { isFromCaller, isProperty, isSuperglobal, UPLOADS } from './superglobals.ts';
import type { PhpToken } from './token.ts';
import { constant, from, UNKNOWN, type Value, withoutPositions } from './value.ts';

const GUARDS_COUNT = 2;

/** Findings that are normal in pages for administrators. */
const ADMINISTERED: ReadonlySet<Signal> = new Set<Signal>([
  PHP.writeRequest,
  PHP.writeRequestPhp,
  PHP.writeRequestData,
  PHP.uploadOpen,
  PHP.uploadHere,
  PHP.filesRequest,
  PHP.filesRequestPart,
]);

const VARIABLES_MAX = 5_000;

/** The state of reading one file: the position, and the known variables and functions. */
export class Walk extends Reader {
  /** True in the second reading, which reports findings because all functions are known then. */
  readonly reporting: boolean;
  variables = new Map<string, Value>();
  readonly globals = this.variables;
  /** Constants of the file and its classes, lower-case. */
  readonly constants = new Map<string, Value>();
  /** Path of the current function; empty at top level. */
  scope = '';
  /** Number of conditional blocks around the current statement. */
  branches = 0;
  readonly functions: Map<string, FunctionSummary>;
  /** Origins stored in properties through arguments of methods. */
  readonly stored: Map<string, number>;
  current: FunctionSummary | undefined;
  /** Origins of variables at the end of the first reading, for values carried over by loops. */
  readonly earlier: Map<string, number>;
  /** Names of the file's classes. */
  readonly classes: Set<string>;
  /** Initial values of properties, which may be declared after the methods. */
  readonly declared: Map<string, Value>;
  /** Number of calls by name. */
  readonly calls = new Map<string, number>();
  readonly requestFiles = new Set<string>();
  /** Number of reads of request data, directly or through functions. */
  callerReads = 0;
  /** Positions of conditions that depend on the request. */
  readonly gates = new Set<number>();
  jumps = 0;
  /** Number of printable characters given by their codes. */
  characterCodes = 0;
  /** Whether the last arguments were named, so their order has no meaning. */
  namesArguments = false;
  /** Whether the file ended earlier for callers without administrator rights. */
  refusesOthers = false;
  readonly observed = noObservations();
  readonly facts: Facts = new Map();
  readonly #local = new Set<string>();
  /** Bits of the current function's parameters that hold a password. */
  passwordBits = 0;
  /** Checks before the current statement, in the same function or in called ones. */
  guards: ReadonlySet<Guard> = new Set();
  /** Whether the request may have set any variable (extract or a replacement of register_globals). */
  takesRequestVariables = false;
  /** Findings by the scope of their function. */
  readonly foundIn = new Map<string, Map<Signal, string>>();
  /** Paths, and variables with a path, of files with foreign content. */
  readonly written = new Set<string>();
  /** Downloads and commands of the file. */
  readonly commands = new ShellCommands();
  /** Index of the opening parenthesis of the last call's arguments. */
  argumentsAt = 0;
  readonly #where: (at: number) => string;
  /** Checks that apply at top level, with the token from which they apply. */
  readonly #checkedFrom: { from: number; guards: ReadonlySet<Guard>; refusesOthers: boolean }[] = [];

  constructor(tokens: readonly PhpToken[], shared: Shared, where: (at: number) => string, first?: Walk) {
    super(tokens, shared);
    this.#where = where;
    this.reporting = first !== undefined;
    this.functions = first?.functions ?? new Map();
    this.stored = first?.stored ?? new Map();
    this.earlier = first?.earlier ?? new Map();
    this.classes = first?.classes ?? new Set(['self', 'static', 'parent', 'class']);
    this.declared = first?.declared ?? new Map();
    if (first?.facts.has('checksUploads')) this.note('checksUploads');
  }

  /** Takes over the state of the whole file before a section, and its final variables. */
  startAt(position: number, whole: Walk): void {
    for (const [name, value] of whole.globals) this.variables.set(name, value);
    for (const [name, value] of whole.constants) this.constants.set(name, value);
    this.takesRequestVariables = whole.takesRequestVariables;
    const before = whole.#checkedFrom.findLast(({ from }) => from <= position);
    this.guards = before?.guards ?? new Set();
    this.refusesOthers = before?.refusesOthers ?? false;
    // Upload checks elsewhere in the file do not apply here.
    if (!this.tokens.some(({ text }) => CHECKS_UPLOADS.has(text))) this.facts.delete('checksUploads');
  }

  /** Records the checks that apply to top-level code from here on. */
  noteChecks(): void {
    const { position: from, guards, refusesOthers } = this;
    this.#checkedFrom.push({ from, guards, refusesOthers });
  }

  /** Whether only administrators get here, with verified intent. */
  get isAdministered(): boolean {
    return this.refusesOthers || this.guards.size === GUARDS_COUNT;
  }

  /** Records a fact to be judged in combination. */
  note(fact: Fact, at = WHOLE): void {
    if (!this.facts.has(fact)) this.facts.set(fact, at);
  }

  /** Offset of the first occurrence of a fact. */
  placeOf(fact: Fact): number {
    return this.facts.get(fact) ?? WHOLE;
  }

  /** Records a fact about the current function. */
  noteHere(fact: LocalFact): void {
    this.#local.add(`${fact} ${this.scope}`);
  }

  isHere(fact: LocalFact): boolean {
    return this.#local.has(`${fact} ${this.scope}`);
  }

  noteCallerRead(): void {
    this.callerReads++;
    if (this.current) this.current.readsCaller = true;
  }

  /** Records a condition that depends on the request, after it was read. */
  noteGate(readsBefore: number): void {
    if (this.callerReads > readsBefore) this.gates.add(this.position - 1);
  }

  noteAction(): void {
    if (this.scope === '') this.note('actsOutside');
  }

  addGuards(guards: Iterable<Guard>): void {
    this.guards = new Set([...this.guards, ...guards]);
    for (const guard of guards) this.current?.guards.add(guard);
    if (this.scope === '' && this.branches === 0) this.noteChecks();
  }

  /** Reports a finding; `detail` is a constant, never content. */
  report(signal: Signal, at: number, detail = ''): void {
    if (!this.reporting || (this.isAdministered && ADMINISTERED.has(signal))) return;
    const place = detail ? `${detail}, ${this.#where(at)}` : this.#where(at);
    this.shared.report(signal, place);
    if (this.scope !== '') this.#noteIn(this.scope, signal, place);
  }

  #noteIn(scope: string, signal: Signal, place: string): void {
    const found = this.foundIn.get(scope) ?? new Map<Signal, string>();
    this.foundIn.set(scope, found);
    if (!found.has(signal)) found.set(signal, place);
  }

  /**
   * Records that a parameter of the current function reaches a sink, so that calls are checked. Parameters that another function
   * stored in a property do not count.
   */
  noteParameter(sink: Sink, origins: number): void {
    const { current } = this;
    const positions = origins & POSITIONS;
    if (!(origins & ORIGIN.parameter) || positions === 0 || current === undefined) return;
    current.reaches.set(sink, (current.reaches.get(sink) ?? 0) | positions);
    if (!(origins & ORIGIN.partial)) current.reachesWhole.add(sink);
  }

  /** Adds the origins of an argument to the property in which the called method stores it. */
  store(property: string, origins: number): void {
    const before = this.stored.get(property) ?? ORIGIN.none;
    if (this.stored.size < VARIABLES_MAX || this.stored.has(property))
      this.stored.set(property, before | (origins & ~POSITIONS));
  }

  isAssigned(name: string): boolean {
    return this.#scopeOf(name).has(name);
  }

  whereOf(at: number): string {
    return this.#where(at);
  }

  variable(name: string): Value {
    // A shortcut for `$this`, which is frequent and never set.
    if (name === 'this' && !this.takesRequestVariables && this.scope !== '' && !this.isAssigned(name))
      return UNKNOWN;
    if (isFromCaller(name)) {
      this.note('readsRequest');
      this.noteCallerRead();
      if (UPLOADS.has(name)) return from(ORIGIN.request | ORIGIN.upload);
      if (takesWhole(this)) this.note('readsWhole');
      return from(ORIGIN.request);
    }
    const known = this.#scopeOf(name).get(name);
    const stored = this.stored.size > 0 ? (this.stored.get(name) ?? ORIGIN.none) : ORIGIN.none;
    if (known) {
      if (known.origins & ORIGIN.request) this.callerReads++;
      return stored === ORIGIN.none ? known : { ...known, origins: known.origins | stored };
    }
    if (name === 'argv') return UNKNOWN;
    const earlier = (this.earlier.get(this.#scoped(name)) ?? ORIGIN.none) | stored;
    if (isProperty(name)) {
      const declared = this.declared.get(name);
      return declared && !(earlier & ~declared.origins) ? declared : from(earlier);
    }
    if (this.takesRequestVariables) return from(earlier | ORIGIN.request);
    // At top level, unset variables are empty.
    return this.scope === '' ? constant('', earlier) : from(earlier);
  }

  /** A unique key for a variable, or a constant item of it, in the current function. */
  placeKey(name: string, key = ''): string {
    return `${this.scope}$${name}[${key}`;
  }

  assign(name: string, assigned: Value): void {
    const value = isProperty(name) ? this.asStored(name, assigned) : assigned;
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

  /** The value to store in a property. Records the parameters of the current function that it comes from. */
  asStored(property: string, value: Value): Value {
    const positions = value.origins & POSITIONS;
    const stores = this.current?.stores;
    if (positions !== 0) stores?.set(property, (stores.get(property) ?? 0) | positions);
    return withoutPositions(value);
  }

  /** Records the origins of an array item, for earlier reads in a loop. */
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
