/**
 * Writes docs/signals*.md, the tables of all that the analysis looks for: `bun run signals`. A test compares the pages with what this would
 * write.
 */
import { join } from 'node:path';
import { CATEGORIES } from '../src/analysis/categories.ts';
import type { Signal } from '../src/analysis/signal.ts';
import { TABLES } from './analysis/shown/index.ts';

const DOCS = join(import.meta.dir, '../docs');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === head.length - 1 ? '---:' : '---')), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

function row(signals: readonly Signal[]): string[] {
  const [{ what, category } = { what: '', category: '' }] = signals;
  const weights = [signals[0], ...signals.slice(1).slice(-1)].map((each) => String(each?.weight));
  return [what, `\`${category}\``, weights.join(' to ')];
}

interface Page {
  readonly name: string;
  readonly title: string;
  readonly begin: string;
  /** Names of tables in TABLES. */
  readonly tables: readonly string[];
}

const PAGES: readonly Page[] = [
  {
    name: 'signals-code',
    title: 'Findings in code',
    begin: 'The findings that an [analysis](analysis.md) of `code` can report as reasons.',
    tables: ['PHP', 'JS', 'SCRIPT', 'MODEL'],
  },
  {
    name: 'signals-requests',
    title: 'Findings in requests and logs',
    begin: 'The findings that an [analysis](analysis.md) of a `request` or a `log` can report as reasons.',
    tables: ['REQUEST', 'LOG'],
  },
  {
    name: 'signals-texts',
    title: 'Findings in URLs and texts',
    begin: 'The findings that an [analysis](analysis.md) of a `url` or a `text` can report as reasons.',
    tables: ['URL_SIGNALS', 'TEXT', 'SCHEME'],
  },
];

const overview = `# What the analysis looks for

Look up the reasons that an [analysis](analysis.md) gives, and see how they add up to a score. Each reason starts with the name of a finding:

${table(
  ['Input', 'Findings'],
  [
    ['`code`', '[Findings in code](signals-code.md)'],
    ['`request`, `log`', '[Findings in requests and logs](signals-requests.md)'],
    ['`url`, `text`', '[Findings in URLs and texts](signals-texts.md)'],
  ],
).replace('---: |', '--- |')}

## How a score is computed

Each finding has a weight in log-odds: a weight of 1 multiplies the odds of malice by 2.7. A negative weight lowers the score and is not reported as a reason. Each finding counts once, even if
it occurs several times. The sum of the weights starts at -4, which is a score of 2.

${table(
  ['Input', 'Suspicious (score 30) from', 'Malicious (score 75) from'],
  [
    ['code', '2.6', '4.2'],
    ['all others', '3.1', '5.1'],
  ],
)}

For code, the sum of the weights is multiplied by 1.2. Parts of a file are also scored separately, and the highest score counts.

## Categories

${table(
  ['Category', 'Meaning', 'Reference'],
  Object.entries(CATEGORIES).map(([name, { meaning, source }]) => [`\`${name}\``, meaning, source]),
).replace('---: |', '--- |')}
`;

const pageOf = ({ title, begin, tables }: Page): string => `# ${title}

${begin} [What the analysis looks for](signals.md) explains the weights and categories.
${TABLES.filter(({ name }) => tables.includes(name))
  .map(
    (each) => `
## ${each.title}

${table(
  ['Finding', 'Category', 'Weight'],
  Object.values(each.signals).map((signals) => row([signals].flat() as Signal[])),
)}
`,
  )
  .join('')}`;

/** The pages as they must be, by file name. */
export const signalsPages = (): ReadonlyMap<string, string> =>
  new Map([['signals', overview], ...PAGES.map((page) => [page.name, pageOf(page)] as const)]);

/** The tables that the pages show, by name. */
export const shownTables = (): string[] => PAGES.flatMap(({ tables }) => tables);

if (import.meta.main)
  for (const [name, text] of signalsPages()) await Bun.write(join(DOCS, `${name}.md`), text);
