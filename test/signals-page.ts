/**
 * Writes docs/signals.md, the table of all that the analysis looks for: `bun run signals`. A test holds the page to what this would write.
 */
import { join } from 'node:path';
import { CATEGORIES } from '../src/analysis/categories.ts';
import type { Signal } from '../src/analysis/signal.ts';
import { TABLES } from './analysis/shown/index.ts';

const PAGE = join(import.meta.dir, '../docs/signals.md');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === head.length - 1 ? '---:' : '---')), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

function row(signals: readonly Signal[]): string[] {
  const [{ what, category } = { what: '', category: '' }] = signals;
  const weights = [signals[0], ...signals.slice(1).slice(-1)].map((each) => String(each?.weight));
  return [what, `\`${category}\``, weights.join(' to ')];
}

/** The page as it is to be. */
export const signalsPage = (): string => `# What the analysis looks for

Every reason of an [analysis](analysis.md) begins with one of these. A weight is how much a finding says, in log-odds: 1 makes malice 2.7 times as likely, below 0 speaks
against it. Each counts once, and a content is judged by the sum.

## Categories

${table(
  ['Category', 'What it means', 'Where it is written about'],
  Object.entries(CATEGORIES).map(([name, { meaning, source }]) => [`\`${name}\``, meaning, source]),
).replace('---: |', '--- |')}
${TABLES.map(
  ({ title, signals }) => `
## ${title}

${table(
  ['What was seen', 'Category', 'Weight'],
  Object.values(signals).map((each) => row([each].flat() as Signal[])),
)}
`,
).join('')}`;

if (import.meta.main) await Bun.write(PAGE, signalsPage());
