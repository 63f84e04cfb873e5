import { expect, test } from 'bun:test';
import { importProgress } from '../../src/cli/vulns-progress.ts';

const MIB = 1_024 * 1_024;
const feed = { path: '/srv/feeds/wordfence.json' };

/** The lines printed during an import that reports twice a second, as feeds are read. */
function printed(seconds: number): [at: number, line: string][] {
  const lines: [number, string][] = [];
  let now = 0;
  const { onProgress, onJoining } = importProgress(
    (line) => lines.push([now, line]),
    () => now,
  );
  for (now = 500; now < seconds * 1_000; now += 500) {
    if (now < 1_000) onProgress(feed, { phase: 'checking', bytes: now * MIB, records: 0, refused: 0 });
    else if (now < 5_000) onProgress(feed, { phase: 'reading', bytes: now * MIB, records: now, refused: 3 });
    else onJoining(now);
  }
  return lines;
}

test('an import of under two seconds prints no progress', () => {
  expect(printed(2)).toEqual([]);
});

test('a longer one prints its progress every two seconds, and the final phase', () => {
  const lines = printed(12);
  expect(lines.slice(0, 3)).toEqual([
    [2_000, 'wordfence.json: reading, 2000.0 MiB, 2000 records, 3 refused'],
    [3_500, 'wordfence.json: reading, 3500.0 MiB, 3500 records, 3 refused'],
    [5_000, 'merging the sources, 5000 vulnerabilities so far'],
  ]);
  const gaps = lines.map(([at], index) => at - (lines[index - 1]?.[0] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(2_000);
});
