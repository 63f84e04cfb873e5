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

Every reason of an [analysis](analysis.md) begins with one of these. A weight is how much a finding says, in log-odds: 1 makes malice 2.7 times as likely. A negative one
speaks against malice; it lowers the score and is not told as a reason. However often something is seen, it counts once.

A content is judged by the sum of the weights, which starts at -4 (a score of 2). For code the sum is first multiplied by 1.2, and parts of a file are added up by themselves as well: the
worst counts. Weights that add up to 2.6 in code, or 3.1 in anything else, make a content suspicious (score 30); 4.2 and 5.1 make it malicious (score 75).

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
