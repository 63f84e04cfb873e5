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

/** What those who administer a site do with its files in plugins that serve for it. */
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
  /** Origins of what calls have stored in properties by passing it to a method. */
  readonly stored: Map<string, number>;
  current: FunctionSummary | undefined;
  /** Origins that variables had at the end of the first reading: what loops bring round. */
  readonly earlier: Map<string, number>;
  /** Names of the classes of the file. */
  readonly classes: Set<string>;
  /** What classes set their properties to where they declare them, which may be behind the methods. */
  readonly declared: Map<string, Value>;
  /** Calls by name, and other facts for the profile of the file. */
  readonly calls = new Map<string, number>();
  readonly requestFiles = new Set<string>();
  /** Reads of values that hold request data, and calls of functions that read some. */
  callerReads = 0;
  /** Positions of conditions that depend on the request. */
  readonly gates = new Set<number>();
  jumps = 0;
  /** Characters that can be typed, given by their codes. */
  characterCodes = 0;
  /** Whether arguments that were read last have names, so that their order says nothing. */
  namesArguments = false;
  /** Whether the file has ended before for callers who may not administer the site. */
  refusesOthers = false;
  readonly observed = noObservations();
  readonly facts: Facts = new Map();
  readonly #local = new Set<string>();
  /** Which parameters of the function that is being read hold a password, by their names. */
  passwordBits = 0;
  /** Kinds of check that the statement being read stands behind, in its own function or in one that it called. */
  guards: ReadonlySet<Guard> = new Set();
  /** Whether the request may have set any variable (extract, register_globals by hand). */
  takesRequestVariables = false;
  /** What was found in each function, by its scope. */
  readonly foundIn = new Map<string, Map<Signal, string>>();
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
    this.functions = first?.functions ?? new Map();
    this.stored = first?.stored ?? new Map();
    this.earlier = first?.earlier ?? new Map();
    this.classes = first?.classes ?? new Set(['self', 'static', 'parent', 'class']);
    this.declared = first?.declared ?? new Map();
    if (first?.facts.has('checksUploads')) this.note('checksUploads');
  }

  /** Takes over what the reading of a whole file knew before it came to one of its parts, and what it learnt of variables. */
  startAt(position: number, whole: Walk): void {
    for (const [name, value] of whole.globals) this.variables.set(name, value);
    for (const [name, value] of whole.constants) this.constants.set(name, value);
    this.takesRequestVariables = whole.takesRequestVariables;
    const before = whole.#checkedFrom.findLast(({ from }) => from <= position);
    this.guards = before?.guards ?? new Set();
    this.refusesOthers = before?.refusesOthers ?? false;
    // What the rest of the file looks at says nothing of uploads here.
    if (!this.tokens.some(({ text }) => CHECKS_UPLOADS.has(text))) this.facts.delete('checksUploads');
  }

  /** Notes what holds from here on for what stands outside of functions and blocks. */
  noteChecks(): void {
    const { position: from, guards, refusesOthers } = this;
    this.#checkedFrom.push({ from, guards, refusesOthers });
  }

  /** Whether only administrators of the site get here, and meant to come. */
  get isAdministered(): boolean {
    return this.refusesOthers || this.guards.size === GUARDS_COUNT;
  }

  /** Notes what the file does here, to be judged with the rest of it. */
  note(fact: Fact, at = WHOLE): void {
    if (!this.facts.has(fact)) this.facts.set(fact, at);
  }

  /** Where a fact was first seen. */
  placeOf(fact: Fact): number {
    return this.facts.get(fact) ?? WHOLE;
  }

  /** Notes what the function being read does. */
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

  /** Notes a condition that has just been read, when it depends on the request. */
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

  /** Reports a finding; `detail` is a word of ours, never the caller's. */
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
   * Notes that a parameter of the function being read reaches a sink: calls of it will be checked. A property that
   * another function stored its parameter in is none of this function's arguments.
   */
  noteParameter(sink: Sink, origins: number): void {
    const { current } = this;
    const positions = origins & POSITIONS;
    if (!(origins & ORIGIN.parameter) || positions === 0 || current === undefined) return;
    current.reaches.set(sink, (current.reaches.get(sink) ?? 0) | positions);
    if (!(origins & ORIGIN.partial)) current.reachesWhole.add(sink);
  }

  /** Adds the origins of an argument to a property that the called method stores it in. */
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
    // Nothing sets it, and methods are full of it: nothing need be looked up.
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
    // Unset variables are empty, outside of functions and objects.
    return this.scope === '' ? constant('', earlier) : from(earlier);
  }

  /** A variable or a constant item of one, as a key that is the same wherever a function reads it. */
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

  /** A value as a property has it. Notes which parameters of the function being read it comes from. */
  asStored(property: string, value: Value): Value {
    const positions = value.origins & POSITIONS;
    const stores = this.current?.stores;
    if (positions !== 0) stores?.set(property, (stores.get(property) ?? 0) | positions);
    return withoutPositions(value);
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
