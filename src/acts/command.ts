import { type Argument, type Command, Option } from 'commander';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { HOUR_MS } from '../lib/clock.ts';
import type { PlannedAct, RefusedAct } from '../operator/act.ts';
import type { Config } from '../settings/config.ts';
import { loadOffer } from '../settings/offer.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { confirmFinal, type FinalOptions, finalAct } from '../terminal/final-act.ts';
import { duration, emailAddress, lineOf, moment, repeatable, wholeNumber } from '../terminal/options.ts';
import { CommandRefused, WrongUsage } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import type { ActDefinition, ActParts, ActWords, PlannedFacts } from './act.ts';
import type { Field, FieldsOf } from './field.ts';

type Input = Readonly<Record<string, unknown>>;
type Typed = Readonly<Record<string, unknown>>;
type Settings = () => Config;

/** What stands for null: Commander makes an empty text of it. */
const NULL = Symbol('null');

/** Adds the options of an act's fields to a command. */
export function addFieldOptions(
  command: Command,
  { fields, command: words }: Commanded,
  settings: Settings,
): void {
  for (const name of words?.options ?? Object.keys(fields)) {
    const field = fields[name];
    if (field?.help !== undefined) command.addOption(optionOf(field, settings));
  }
}

type Commanded = Pick<ActWords, 'fields' | 'command'>;

function optionOf(field: Field, settings: Settings): Option {
  const { flags = '', help = '', isOptional = false, nullWord } = field;
  if (field.kind === 'domains' || field.kind === 'modules') return repeatable(flags, help);
  const option = new Option(flags, help).makeOptionMandatory(!isOptional);
  if (field.fallback !== undefined) option.default(field.fallback);
  if (field.kind === 'choice') return option.choices(field.words);
  const read = readerOf(field, settings);
  return read ? option.argParser((text) => (text === nullWord ? NULL : read(text))) : option;
}

/** What reads a value as it is typed. */
function readerOf(field: Field, settings: Settings): ((text: string) => unknown) | undefined {
  switch (field.kind) {
    case 'number':
      return wholeNumber(field.what, String(field.max).length);
    case 'hours': {
      const read = duration(field.what);
      return (text) => read(text) / HOUR_MS;
    }
    case 'line':
      return lineOf(field.flags?.split(' ')[0] ?? '', field.max);
    case 'email':
      return emailAddress;
    case 'moment':
      return moment;
    case 'domain':
      return (text) => domainOf(text, field.isBound, settings());
    default:
      return undefined;
  }
}

/** A development host needs to be registered for surface scans alone; it then takes up a site. */
export function domainOf(
  text: string,
  isBound: boolean,
  { stagingDomains, scanAllowPrivate }: Config,
): string {
  const site = normalizeSiteDomain(text, stagingDomains);
  if (site === undefined) throw new WrongUsage(`"${text}" is not a domain`);
  if (isBound && !site.counted && !scanAllowPrivate) {
    throw new WrongUsage(
      `"${text}" is a development host and needs no registration: leave it out (only surface scans need it, with SERVICE_SCAN_ALLOW_PRIVATE=1)`,
    );
  }
  return site.name;
}

/** What options say of an act's fields. */
export function typedInput<Of>(fields: FieldsOf<Of>, options: object, settings: Settings): Of {
  const typed = new Map<string, unknown>(Object.entries(options));
  const values = Object.entries<Field>(fields).map(([name, field]) => [
    name,
    field.help === undefined ? undefined : optionValue(field, typed.get(nameOf(field)), settings),
  ]);
  return Object.fromEntries(values) as Of;
}

const nameOf = ({ flags = '' }: Field): string => new Option(flags).attributeName();

function optionValue({ kind }: Field, typed: unknown, settings: Settings): unknown {
  if (typed === NULL) return null;
  if (kind === 'domains' && Array.isArray(typed))
    return typed.map((text) => domainOf(String(text), true, settings()));
  return typed;
}

/** What a command was asked for. */
export interface AskedAct<Options = Typed> {
  readonly names: readonly string[];
  /** Its options. */
  readonly typed: Options & ActOptions;
  readonly isTrial: boolean;
  readonly json: true | undefined;
}

/** The commands of acts on the same. */
export interface ActCommands<Target, Plan extends PlannedAct, Options = Typed> {
  readonly parent: Command;
  readonly settings: Settings;
  /** What names the target behind the name of the command. */
  readonly target: () => readonly Argument[];
  /** Adds options that are no fields of the act. */
  options?(command: Command): void;
  /**
   * Called before the database is opened.
   *
   * @throws WrongUsage
   */
  check?(asked: AskedAct<Options>): void;
  /** Called before anything changes. */
  prepare?(parts: ActParts): void;
  /** Finds it while the act is planned. */
  find(store: Store, asked: AskedAct<Options>): Target | Promise<Target>;
  /** Prints what was done, or would be. */
  report(done: Plan, asked: AskedAct<Options>, store: Store, parts: ActParts): void | Promise<void>;
}

/** Adds the command of an act. */
export function addActCommand<Target, Plan extends PlannedFacts, Options extends object = Typed>(
  definition: ActDefinition<Target, Input, Plan>,
  { parent, settings, target, options, check, prepare, find, report }: ActCommands<Target, Plan, Options>,
): void {
  const { verb, command: words, fields, isFinal } = definition;
  if (words === undefined) return;
  const command = parent.command(verb).description(words.about);
  for (const argument of target()) command.addArgument(argument);
  addFieldOptions(command, definition, settings);
  options?.(command);
  if (isFinal) finalAct(command);
  else command.addOption(reasonOption());
  if (words.hasDryRun) command.option('--dry-run', 'show what would change, and change nothing');
  command
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  redoubt ${parent.name()} ${verb} ${words.example}`)
    .action((...given: unknown[]) => {
      const names: readonly string[] = command.processedArgs;
      const typed = given.at(-2) as Options & FinalOptions & { dryRun?: true; json?: true };
      const isTrial = typed.dryRun === true;
      const input = typedInput(fields, typed, settings);
      const asked = { names, typed, isTrial, json: typed.json };
      check?.(asked);
      return withStore(settings(), async (store) => {
        const parts = partsOf(store, settings());
        prepare?.(parts);
        const plan = async () => definition.plan(await find(store, asked), input, actNow(typed), parts);
        const warning = words.warning?.(await find(store, asked));
        if (warning !== undefined && words.question !== undefined)
          await confirmFinal(typed, warning, words.question);
        const done = isTrial ? refusedOr(await plan()) : await store.act(plan);
        await report(done, asked, store, parts);
      });
    });
}

/** The catalogue is read when it is asked for: most acts do not need it. */
export function partsOf({ db }: Store, config: Config): ActParts {
  let offer: ActParts['offer'] | undefined;
  return {
    db,
    config,
    get offer() {
      offer ??= loadOffer(config.catalogFile);
      return offer;
    },
  };
}

function refusedOr<Plan extends object>(outcome: Plan | RefusedAct): Plan {
  if ('refused' in outcome) throw new CommandRefused(outcome.refused);
  return outcome;
}
