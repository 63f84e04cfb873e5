/**
 * Other tools on the same contents: `bun test/evaluation/beside.ts --mirror DIR` prints what this engine, php-malware-finder's
 * rules in `yara`, and the OWASP core rule set in ModSecurity find of the evaluation side's code and requests, and of the blind
 * requests. `--side tuning` reads the tuning side, `--only WORD` one category. For `yara`, which only reads them, files stand in
 * a temporary folder; Apache listens on the loopback address while requests are sent. Only totals are printed.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { removeTemporaryDirectories } from '../support/temporary.ts';
import { APACHE, CoreRuleSet, RULES } from './beside/core-rule-set.ts';
import { Yara } from './beside/yara.ts';
import { type Case, type Label, SOURCES } from './corpus.ts';
import { measure, percent, unseen } from './measure.ts';
import { writtenRequests } from './written.ts';

const { values: options } = parseArgs({
  options: {
    mirror: { type: 'string' },
    side: { type: 'string', default: 'evaluation' },
    only: { type: 'string', default: '' },
  },
});
if (options.mirror === undefined) {
  console.error('bun test/evaluation/beside.ts --mirror DIR [--side tuning] [--only WORD]');
  process.exit(1);
}
const { mirror } = options;

const GROUPS = ['PHP', 'JavaScript', 'request', 'unit tests of CRS', 'blind request'] as const;
type Group = (typeof GROUPS)[number];
const LABELS = ['malicious', 'clean'] as const;
const groupOf = (category: string): Group | undefined =>
  GROUPS.find((group) => category === group || category.endsWith(`: ${group}`));

const tallies = new Map<string, { found: number; of: number }>();

function count(tool: string, group: Group, label: Label, found: number, of: number): void {
  const key = `${tool}:${group}:${label}`;
  const before = tallies.get(key) ?? { found: 0, of: 0 };
  tallies.set(key, { found: before.found + found, of: before.of + of });
}

const ENGINE = 'this engine';
const tools = [ENGINE];
const requests: { readonly group: Group; readonly label: Label; readonly cases: readonly Case[] }[] = [];

function readSources(yara: Yara | undefined): void {
  // The tuning side first, so that its contents are known when the other one is read.
  for (const side of ['tuning', 'evaluation'] as const) {
    for (const source of SOURCES) {
      const group = groupOf(source.category);
      if (source.side !== side || group === undefined || !source.category.includes(options.only)) continue;
      const cases = unseen(source.casesOf(mirror));
      if (side !== options.side || cases.length === 0) continue;
      const { label } = source;
      count(ENGINE, group, label, measure(cases, { label, source: '' }, 0).flagged, cases.length);
      if (source.category.startsWith('request')) requests.push({ group, label, cases });
      else if (yara !== undefined) count(yara.name, group, label, yara.found(source, cases), cases.length);
    }
  }
  for (const label of LABELS) {
    const cases = writtenRequests('blind', label);
    count(ENGINE, 'blind request', label, measure(cases, { label, source: '' }, 0).flagged, cases.length);
    requests.push({ group: 'blind request', label, cases });
  }
}

async function sendTo(level: 1 | 2): Promise<void> {
  const crs = await CoreRuleSet.start(level);
  tools.push(crs.name);
  try {
    for (const { group, label, cases } of requests) {
      const { found, refused } = await crs.judge(cases.map(({ content }) => content));
      count(crs.name, group, label, found, cases.length);
      if (refused > 0) console.log(`${crs.name}: Apache itself refuses ${refused} (${group}, ${label})`);
    }
  } finally {
    await crs.stop();
  }
}

function show(): void {
  const row = (tool: string, cell: (tally: { found: number; of: number }) => string) => ({
    tool,
    ...Object.fromEntries(
      GROUPS.flatMap((group) =>
        LABELS.flatMap((label) => {
          const tally = tallies.get(`${tool}:${group}:${label}`);
          const name = `${group} ${label === 'clean' ? 'mistakes' : 'found'}`;
          return tallies.has(`${ENGINE}:${group}:${label}`) ? [[name, tally ? cell(tally) : '-']] : [];
        }),
      ),
    ),
  });
  console.table([
    { ...row(ENGINE, ({ of }) => String(of)), tool: 'contents' },
    ...tools.map((tool) => row(tool, ({ found, of }) => percent(found, of))),
  ]);
}

const isInstalled = (what: string, parts: readonly boolean[], packages: string): boolean => {
  if (parts.every(Boolean)) return true;
  console.log(`${what} is left out: apt install ${packages}`);
  return false;
};

try {
  const yara = isInstalled('yara', [Bun.which('yara') !== null, Bun.which('yarac') !== null], 'yara')
    ? new Yara(mirror)
    : undefined;
  if (yara !== undefined) tools.push(yara.name);
  readSources(yara);
  if (isInstalled('CRS', [APACHE, RULES].map(existsSync), 'apache2 libapache2-mod-security2 modsecurity-crs'))
    for (const level of [1, 2] as const) await sendTo(level);
  show();
} finally {
  removeTemporaryDirectories();
}
