import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Marked, type Token } from 'marked';
import { defaultCatalog } from '../src/domain/license/catalog.ts';
import { DAILY_BUDGETS } from '../src/domain/license/daily-budget.ts';
import { STATUS_OF } from '../src/http/statuses.ts';
import { STRIPE_EVENTS } from '../src/outside/stripe/event-types.ts';
import { anchorOf } from '../src/routes/handbook/render.ts';
import { SETTINGS, type Setting } from '../src/settings/settings.ts';
import { TABLES } from './analysis/shown/index.ts';
import { shownTables, signalsPages } from './signals-page.ts';

const ROOT = join(import.meta.dir, '..');
const filesLike = (pattern: string) => [...new Bun.Glob(pattern).scanSync(ROOT)].sort();
const DOCUMENTS = [...filesLike('*.md'), ...filesLike('docs/**/*.md')];
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

const marked = new Marked();
const tokensOf = <Kind extends Token['type']>(name: string, kind: Kind) => {
  const found: Extract<Token, { type: Kind }>[] = [];
  marked.walkTokens(marked.lexer(read(name)), (token) => {
    if (token.type === kind) found.push(token as Extract<Token, { type: Kind }>);
  });
  return found;
};
const anchorsOf = (name: string) => tokensOf(name, 'heading').map(({ text }) => anchorOf(text));

test('the README is short', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(150);
});

describe.each(DOCUMENTS)('%s', (name) => {
  test('links to files and headings that exist', () => {
    for (const { href } of tokensOf(name, 'link')) {
      if (/^https?:/.test(href)) continue;
      const [path = '', anchor] = href.split('#');
      const file = path === '' ? name : join(dirname(name), path);
      expect([href, existsSync(join(ROOT, file))]).toEqual([href, true]);
      if (anchor !== undefined)
        expect([href, anchorsOf(file)]).toEqual([href, expect.arrayContaining([anchor])]);
    }
  });

  test('has no two headings with one anchor', () => {
    const anchors = anchorsOf(name);
    expect([...new Set(anchors)]).toEqual(anchors);
  });
});

/** The text of one section of a document, from its heading to the next of the same depth or less. */
function sectionOf(text: string, anchor: string): string {
  const lines = text.split('\n');
  const depthOf = (line: string) => /^(#+) /.exec(line)?.[1]?.length ?? Infinity;
  const from = lines.findIndex((line) => /^#+ /.test(line) && anchorOf(line.replace(/^#+ /, '')) === anchor);
  const depth = depthOf(lines[from] ?? '');
  const length = lines.slice(from + 1).findIndex((line) => depthOf(line) <= depth);
  return lines.slice(from, length < 0 ? undefined : from + 1 + length).join('\n');
}

test('every figure in the summary of docs/speed.md appears in the section that its row names', () => {
  const speed = read('docs/speed.md');
  const measured = tokensOf('docs/speed.md', 'table').find(({ header }) => header[1]?.text === 'Measured');
  expect(measured?.rows.length).toBeGreaterThan(5);
  for (const [what, figure, aim, more] of measured?.rows ?? []) {
    const section = sectionOf(speed, /\(#(.+?)\)/.exec(more?.text ?? '')?.[1] ?? '');
    for (const [number] of `${figure?.text} ${aim?.text}`.matchAll(/\d[\d,.]*/g))
      expect([what?.text, number, section.includes(number)]).toEqual([what?.text, number, true]);
  }
});

test('each section of docs/speed.md with figures names the command that prints them', () => {
  const sections = read('docs/speed.md').split(/^## /m).slice(2);
  expect(sections.length).toBeGreaterThan(10);
  for (const section of sections) expect(section).toMatch(/^Command: `/m);
});

test('the handbook lists every setting with its default and meaning', () => {
  const settings = read('docs/settings.md');
  for (const { env, fallback, help } of Object.values<Setting>(SETTINGS)) {
    expect(settings).toContain(`| \`${env}\` | ${fallback ? `\`${fallback}\`` : ''} | ${help} |`);
  }
});

test('the handbook lists every finding of the analysis as the engine has it: bun run signals', () => {
  expect(shownTables().toSorted()).toEqual(TABLES.map(({ name }) => name).toSorted());
  for (const [name, text] of signalsPages()) expect(read(`docs/${name}.md`)).toBe(text);
});

test('the handbook explains every code of a refusal', () => {
  const codes = read('docs/troubleshooting.md').split('## Error codes')[1]?.split('## ')[0];
  for (const [code, status] of Object.entries(STATUS_OF))
    expect(codes).toMatch(new RegExp(`^\\| [\\d, ]*\\b${status}\\b[\\d, ]* \\|.*\`${code}\``, 'm'));
});

test('the handbook explains every finding of doctor', () => {
  const known = filesLike('src/**/doctor/*.ts').flatMap((file) =>
    [...read(file).matchAll(/(?:warning|failure|grave|worded)\(\s*'([a-z-]+)'/g)].map(([, id]) => id),
  );
  expect(known.length).toBeGreaterThan(40);
  const findings = read('docs/troubleshooting.md').split('## Findings of doctor')[1];
  for (const id of known) expect(findings).toContain(`\`${id}\``);
});

test('the handbook tells how many sites each plan has, and how much it may store in a day', () => {
  const tenants = read('docs/tenants.md');
  for (const [plan, { sitesAllowed }] of Object.entries(defaultCatalog)) {
    const { events, bytes } = DAILY_BUDGETS[plan as keyof typeof DAILY_BUDGETS];
    const mib = bytes / 2 ** 20;
    const size = mib < 1024 ? `${mib} MiB` : `${mib / 1024} GiB`;
    expect(tenants).toContain(`| \`${plan}\` | ${sitesAllowed} | ${events.toLocaleString('en')}, ${size} |`);
  }
});

test('the handbook names every event of Stripe that the webhook listens to', () => {
  const payments = read('docs/payments.md');
  for (const type of Object.keys(STRIPE_EVENTS)) expect(payments).toContain(`\`${type}\``);
});

test('every dependency is listed with its reason', () => {
  const listed = read('docs/decisions/dependencies.md');
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    if (!name.startsWith('@types/')) expect(listed).toContain(name);
  }
});

test.each(filesLike('docs/decisions/*.md').concat('ARCHITECTURE.md'))('%s names files that exist', (name) => {
  const folders = readdirSync(join(ROOT, 'src'));
  for (const [, path = ''] of read(name).matchAll(/`([\w-]+\/[\w./-]+)`/g)) {
    if (!folders.includes(path.split('/')[0] ?? '')) continue;
    expect([path, existsSync(join(ROOT, 'src', path))]).toEqual([path, true]);
  }
});

test('sections of the handbook that the source names exist', () => {
  const named = filesLike('src/**/*.{ts,tsx}').flatMap((source) =>
    [...read(source).matchAll(/\bdocs\/([\w-]+\.md)#([\w-]+)/g)].map(([, page, anchor]) => ({
      source,
      page: `docs/${page}`,
      anchor: anchor ?? '',
    })),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(({ page, anchor }) => !anchorsOf(page).includes(anchor))).toEqual([]);
});

test('comments name no document that is not here', () => {
  const known = new Set([...DOCUMENTS.map((document) => basename(document)), 'SOURCES.md']);
  for (const source of [...filesLike('src/**/*.ts'), ...filesLike('test/**/*.ts')]) {
    const named = [...read(source).matchAll(/(?:\/\/|\*|').*?\b([\w-]+\.md)\b/g)].map(
      ([, name]) => name ?? '',
    );
    expect([source, named.filter((name) => !known.has(name))]).toEqual([source, []]);
  }
});
