import { type Argument, type Command, Option } from 'commander';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import type { PlannedAct, RefusedAct } from '../operator/act.ts';
import type { Config } from '../settings/config.ts';
import { loadOffer } from '../settings/offer.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { certificateFile } from '../terminal/certificate-file.ts';
import { confirmFinal, type FinalOptions, finalAct } from '../terminal/final-act.ts';
import {
  duration,
  emailAddress,
  licenseIn,
  lineOf,
  moment,
  repeatable,
  shortDuration,
  wholeNumber,
  wordOf,
} from '../terminal/options.ts';
import { CommandRefused, WrongUsage } from '../terminal/output.ts';
import { keyedIdentitiesOf, type Store, withStore } from '../terminal/store.ts';
import type { ActDefinition, ActParts, ActWords, PlannedFacts } from './act.ts';
import type { Field, FieldsOf } from './field.ts';

type Input = Readonly<Record<string, unknown>>;
type Typed = Readonly<Record<string, unknown>>;
type Settings = () => Config;

/** Represents null, which Commander would turn into an empty text. */
const NULL = Symbol('null');

/** Adds the command of an act with the options of its fields, without arguments for a target. */
export function describeAct(
  parent: Command,
  { verb, title, fields, command: words }: Pick<ActWords, 'verb' | 'title' | 'fields' | 'command'>,
  settings: Settings,
): Command {
  const about = words?.about ?? `${title[0]?.toLowerCase()}${title.slice(1)}`;
  const command = parent.command(verb).description(about);
  for (const field of Object.values(fields))
    if (field.flags !== undefined) command.addOption(optionOf(field, settings));
  return command;
}

/** Kinds of fields whose option is repeated for each value. */
const IS_REPEATED: readonly Field['kind'][] = ['domains', 'modules', 'choices', 'lines', 'licenses'];

function optionOf(field: Field, settings: Settings): Option {
  const { flags = '', about = '', help = about, isOptional = false, nullWord } = field;
  if (IS_REPEATED.includes(field.kind)) return repeatable(flags, help);
  const removal = nullWord === undefined ? '' : `; "${nullWord}" resets it`;
  const option = new Option(flags, help + removal).makeOptionMandatory(!isOptional);
  if (field.fallback !== undefined) option.default(field.fallback);
  if (field.kind === 'choice') return option.choices(field.words);
  const read = readerOf(field, settings);
  return read ? option.argParser((text) => (text === nullWord ? NULL : read(text))) : option;
}

/** Returns the parser of an option's value. */
function readerOf(field: Field, settings: Settings): ((text: string) => unknown) | undefined {
  switch (field.kind) {
    case 'number':
      return wholeNumber(field.what, String(field.max).length);
    case 'hours': {
      const read = duration(field.what);
      return (text) => read(text) / HOUR_MS;
    }
    case 'minutes':
      return (text) => shortDuration(field.what, (field.max * MINUTE_MS) / DAY_MS)(text) / MINUTE_MS;
    case 'line':
      return lineOf(switchOf(field), field.max);
    case 'certificates':
      return certificateFile(switchOf(field), field.max);
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

/** Normalizes a domain. Development hosts are registered only for surface scans, and then count as a site. */
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

/** Returns the values of an act's fields from its options. */
export function typedInput<Of>(fields: FieldsOf<Of>, options: object, settings: Settings): Of {
  const typed = new Map<string, unknown>(Object.entries(options));
  const values = Object.entries<Field>(fields).map(([name, field]) => [
    name,
    field.flags === undefined ? undefined : optionValue(field, typed.get(nameOf(field)), settings),
  ]);
  return Object.fromEntries(values) as Of;
}

const nameOf = ({ flags = '' }: Field): string => new Option(flags).attributeName();
const switchOf = ({ flags = '' }: Pick<Field, 'flags'>): string => flags.split(' ')[0] ?? '';

const UNITS: Readonly<Record<string, string>> = { hours: 'h', minutes: 'm' };

/** Formats the contract's example as options. */
function exampleOf({ fields, api }: Pick<ActWords, 'fields' | 'api'>): string {
  const typed = Object.entries(api?.example ?? {}).flatMap(([name, value]) => {
    const field = name === 'reason' ? { flags: '--reason', kind: 'line' } : fields[name];
    if (field?.flags === undefined) return [];
    if (value === true) return [switchOf(field)];
    const shown = (one: unknown) => {
      const text = field.kind in UNITS ? `${one}${UNITS[field.kind]}` : String(one);
      return [switchOf(field), text.includes(' ') ? `"${text}"` : text];
    };
    return Array.isArray(value) ? value.flatMap(shown) : shown(value);
  });
  return typed.join(' ');
}

function optionValue(field: Field, typed: unknown, settings: Settings): unknown {
  if (typed === NULL) return null;
  if (!Array.isArray(typed)) return typed;
  const texts = typed.map(String);
  switch (field.kind) {
    case 'domains':
      return texts.map((text) => domainOf(text, true, settings()));
    case 'choices':
      return texts.map(wordOf(switchOf(field), field.words));
    case 'lines':
      return atMost(field.items, switchOf(field), texts).map(lineOf(switchOf(field), field.max));
    case 'licenses':
      return atMost(field.max, switchOf(field), texts).map(licenseIn);
    default:
      return typed;
  }
}

function atMost(most: number, option: string, texts: readonly string[]): readonly string[] {
  if (texts.length > most) throw new WrongUsage(`${option} can be given at most ${most} times`);
  return texts;
}

/** A parsed command line. */
export interface AskedAct<Options = Typed> {
  readonly names: readonly string[];
  readonly typed: Options & ActOptions;
  readonly isTrial: boolean;
  readonly json: true | undefined;
}

/** How the commands of acts find and report their target. */
export interface ActCommands<Target, Plan extends PlannedAct, Options = Typed> {
  readonly parent: Command;
  readonly settings: Settings;
  /** The arguments that name the target. */
  readonly target: () => readonly Argument[];
  /** Example values of these arguments, for the help. */
  readonly sample: string;
  /** Text of the help after the example. */
  help?(verb: string): string;
  /** Adds options that are not fields of the act. */
  options?(command: Command): void;
  /**
   * Called before the database is opened.
   *
   * @throws WrongUsage
   */
  check?(asked: AskedAct<Options>): void;
  /** Called before anything changes. */
  prepare?(parts: ActParts): void;
  /** Finds the target, within the transaction. */
  find(store: Store, asked: AskedAct<Options>): Target | Promise<Target>;
  /** Prints the result, also of a dry run. */
  report(done: Plan, asked: AskedAct<Options>, store: Store, parts: ActParts): void | Promise<void>;
}

/** Adds the command of an act. */
export function addActCommand<Target, Plan extends PlannedFacts, Options extends object = Typed>(
  definition: ActDefinition<Target, Input, Plan>,
  { parent, settings, target, sample, help, ...done }: ActCommands<Target, Plan, Options>,
): void {
  const { verb, command: words, fields, isFinal } = definition;
  const { options, check, prepare, find, report } = done;
  if (words === undefined) return;
  const command = describeAct(parent, definition, settings);
  for (const argument of target()) command.addArgument(argument);
  options?.(command);
  if (isFinal) finalAct(command);
  else command.addOption(reasonOption());
  const typed = [parent.name(), verb, sample, words.example ?? exampleOf(definition)].filter(Boolean);
  if (words.hasDryRun) command.option('--dry-run', 'show what would change, and change nothing');
  command
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  redoubt ${typed.join(' ')}${help?.(verb) ?? ''}`)
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

/** The catalogue and the installation's key are read on first use, because most acts do not need them. */
export function partsOf({ db }: Store, config: Config): ActParts {
  let offer: ActParts['offer'] | undefined;
  return {
    db,
    config,
    get identities() {
      return keyedIdentitiesOf(config);
    },
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
