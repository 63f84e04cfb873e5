import { beforeAll, describe, expect, test } from 'bun:test';
import { rotating } from '../support/suite.ts';
import { EXCEPTIONS, type Exception, OUT_OF_REACH } from './exceptions.ts';
import type { Job } from './probe.ts';
import { builtPatterns, type Outcome, probeAll } from './probing.ts';
import { type Pattern, spelledPatterns } from './source-patterns.ts';

// Needs half a minute of both processors.

const TIMEOUT_MS = 180_000;

const isOf =
  ({ file, name }: Exception) =>
  (pattern: Pattern) =>
    pattern.file === file && pattern.name === name;
const isExcepted = (pattern: Pattern) => EXCEPTIONS.some((exception) => isOf(exception)(pattern));
const jobOf = ({ source, flags }: Job): Job => ({ source, flags });
const distinct = (patterns: readonly Pattern[]) => [
  ...new Map(patterns.map((pattern) => [`${pattern.flags}/${pattern.source}`, pattern])).values(),
];

/** Findings with the place and the text that shows each. */
function findingsOf(patterns: readonly Pattern[], outcomes: readonly Outcome[]): string[] {
  return patterns.flatMap(({ file, line, source }, index) => {
    const outcome = outcomes[index];
    if (!outcome) return [];
    const how = outcome === 'never ends' ? outcome : `${outcome.ms.toFixed()} ms: ${JSON.stringify(outcome)}`;
    return [`${file}:${line} /${source.slice(0, 80)}/ ${how}`];
  });
}

describe('patterns of the source', () => {
  let patterns: Pattern[];
  beforeAll(async () => {
    const built = builtPatterns();
    patterns = [...spelledPatterns(), ...(await built)]
      .filter(({ file }) => !OUT_OF_REACH.test(file))
      .filter(({ source }) => /[*+{]/.test(source));
  }, TIMEOUT_MS);

  test(
    'take linear time for any text',
    async () => {
      const held = distinct(patterns.filter((pattern) => !isExcepted(pattern)));
      expect(held.length).toBeGreaterThan(1_000);
      // One built while the modules are loaded.
      expect(held.filter(({ source }) => source.includes('PROPFIND|'))).not.toEqual([]);
      const tried = rotating(held);
      expect(findingsOf(tried, await probeAll(tried))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'with exceptions are fast for the input of their callers, and not for longer input',
    async () => {
      const exceptions = rotating(EXCEPTIONS);
      const excepted = exceptions.flatMap((exception) =>
        patterns.filter(isOf(exception)).map((pattern) => ({ ...exception, ...pattern })),
      );
      expect(findingsOf(excepted, await probeAll(excepted))).toEqual([]);
      const unbounded = await probeAll(excepted.map(jobOf));
      const needed = excepted.filter((_, index) => unbounded[index] !== null).map(({ name }) => name);
      expect([...new Set(needed)]).toEqual(exceptions.map(({ name }) => name));
    },
    TIMEOUT_MS,
  );
});

test(
  'known slow patterns are found',
  async () => {
    const known = rotating([
      /(a+)+$/,
      /^(?:a|a)*$/,
      /^(?:\w|\d)+!/,
      /^(?:a|ab|b)*$/,
      /(?:a?){30}a{30}$/,
      /^(\w+\s?)*$/,
      /(x+x+)+y/,
      /^(?:a{0,100}){0,100}$/,
      /^a{0,400}a{0,400}a{0,400}b/,
      /x\s*(?:\(\s*)?\s*y/,
      /^=\s*\(?\s*"?\s*7/,
      /a.*b.*c/s,
      /foo[^;]*bar/,
      /(?<=a.*)b/,
      /a(?=[^;]*b)/g,
      /(["'])[^;]*\1x/,
      /^head:[^:]*foo[^:]*bar/,
      /(?:^|\n)\s*\n*x/i,
      /[\u4e00-\u9fff]+\p{L}*!/u,
      /^[\w.-]+(?:\s{0,3}\|\s{0,3}\w{1,30}(?:\s{0,3}:\s{0,3}[\w .-]{1,40})?){0,6}$/,
      /^\d (\S+)(.*)$/,
    ]);
    const outcomes = await probeAll(known.map(jobOf), 2_000);
    expect(known.filter((_, index) => outcomes[index] === null)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'known linear patterns are not reported',
  async () => {
    const known = [
      /^(?:a+b)+$/,
      /(?<!\s)\s+$/,
      /"(?:[^"\\]|\\.)*"/y,
      /[0-9]+(?![A-Za-z0-9_])/y,
      /^(?:\w{1,40}\.){1,20}\w{1,40}$/,
      /foo[^\n]{0,240}bar/i,
      /(?:^|\n)```\w{0,20}\n[\s\S]{1,2000}?\n```(?=\s|$)/,
      /\\.|%[0-9a-f]{2}/gi,
      /^\s*(?:select|insert)\b/i,
      /<(?:p|div)\b[^<>]{0,200}>/g,
    ];
    const outcomes = await probeAll(known.map(jobOf));
    expect(known.filter((_, index) => outcomes[index] !== null)).toEqual([]);
  },
  TIMEOUT_MS,
);
