import { Option } from 'commander';
import { MODULE_NAME } from '../domain/license/catalog.ts';
import { customerNote, customerNoteRule } from '../domain/license/customer.ts';
import { canonicalEmail } from '../domain/license/email.ts';
import { parseLicenseName } from '../domain/license/license-name.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import { MOMENT_FORM, parseDayOrTimestamp } from '../lib/timestamp.ts';
import { WrongUsage } from './output.ts';

// Parsers of option values. They throw WrongUsage if a value is invalid.

export const repeatable = (flags: string, description: string) =>
  new Option(flags, `${description}; repeatable`)
    .argParser((value: string, before: readonly string[]) => [...before, value])
    .default([], 'none');

/** Returns the parser of a non-negative integer. `what` names it in the error. */
export const wholeNumber =
  (what: string, digitsMax = 6) =>
  (text: string): number => {
    if (!new RegExp(`^\\d{1,${digitsMax}}$`).test(text)) {
      throw new WrongUsage(`${what} must be a whole number of at most ${digitsMax} digits`);
    }
    return Number(text);
  };

const LIMIT_MAX = 1_000;

export const limitOption = () =>
  new Option('--limit <number>', `maximum number of results, up to ${LIMIT_MAX}`)
    .argParser((text) => {
      const limit = wholeNumber('the limit')(text);
      if (limit < 1 || limit > LIMIT_MAX) throw new WrongUsage(`--limit must be from 1 to ${LIMIT_MAX}`);
      return limit;
    })
    .default(50);

/** Parses a date or a timestamp. Returns milliseconds since the Unix epoch. */
export const moment = (text: string): number => {
  const at = parseDayOrTimestamp(text);
  if (at === undefined) throw new WrongUsage(`"${text}" is not ${MOMENT_FORM}`);
  return at;
};

const UNITS_MS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Returns the parser of a duration such as 24h or 7d, in milliseconds. */
export const duration =
  (what: string) =>
  (text: string): number => {
    const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
    if (count === undefined)
      throw new WrongUsage(`${what} must be a number of hours or days, such as 24h or 7d`);
    return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  };

/** Returns the parser of a duration such as 15m, 24h or 7d, or 0m for none, in milliseconds. */
export const shortDuration =
  (what: string, daysMax: number) =>
  (text: string): number => {
    const [, count, unit] = /^(0|[1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
    if (count === undefined)
      throw new WrongUsage(`${what} must be a number of minutes, hours or days, such as 15m, 24h or 7d`);
    const time = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
    if (time > daysMax * DAY_MS) throw new WrongUsage(`${what} must be at most ${daysMax} days`);
    return time;
  };

/** Returns the parser of an option whose value must be one of `words`. */
export const wordOf =
  <Word extends string>(option: string, words: readonly Word[]) =>
  (text: string): Word => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new WrongUsage(`${option} must be one of ${words.join(', ')}`);
    return found;
  };

/** Parses the id of a license. */
export const licenseIn = (text: string): number => {
  const id = parseLicenseName(text);
  if (id === undefined) throw new WrongUsage('"license" must be an id such as lic_1');
  return id;
};

/**
 * Returns the parser of an end: a duration from now, such as 90d, or a moment. It returns a function from the current time to the
 * end, both in milliseconds since the Unix epoch.
 */
export const endOf =
  (option: string) =>
  (text: string): ((nowMs: number) => number) => {
    if (/^\d+[a-z]$/i.test(text)) {
      const time = duration(option)(text);
      return (nowMs) => nowMs + time;
    }
    const at = parseDayOrTimestamp(text);
    if (at === undefined) throw new WrongUsage(`${option} must be a duration such as 90d, or ${MOMENT_FORM}`);
    return () => at;
  };

export const moduleName = (text: string): string => {
  if (!MODULE_NAME.test(text)) throw new WrongUsage(`"${text}" is not a module name`);
  return text;
};

/** Returns the parser of one line of bounded length. */
export const lineOf =
  (option: string, charactersMax: number) =>
  (text: string): string => {
    const line = customerNote(text, charactersMax);
    if (line === undefined) throw new WrongUsage(`${option} ${customerNoteRule(charactersMax)}`);
    return line;
  };

export const emailAddress = (text: string): string => {
  if (canonicalEmail(text) === undefined) throw new WrongUsage(`"${text}" is not an e-mail address`);
  return text.trim();
};
