/**
 * Waiting times of other clients during analyses: `bun test/bench/analysis-beside.bench.ts`, with
 * `REDOUBT_EXECUTABLE=PATH` for another build. GET /status every 10 ms, alone and during continuous analyses
 * by two callers with bodies of nearly 64 KiB of this repository's cases, with the runtime's compiler and
 * without it, as under the unit. In milliseconds.
 */
import { OWN_CASES } from '../evaluation/cases/index.ts';
import { API } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';
import { askForStatus, at, COMPILERS } from './beside.ts';

const SECONDS = 8;
const CALLERS = 2;
const BODY_BYTES = 64 * 1024;

const CONTENTS = OWN_CASES.map(({ category, cases }) => {
  const content = cases
    .map((each) => each.content)
    .join('\n\n')
    .repeat(200)
    .slice(0, BODY_BYTES);
  const body = (text: string) => JSON.stringify({ input_type: category, content: text });
  const stretch = Buffer.byteLength(body(content)) / content.length;
  return body(content.slice(0, Math.floor((BODY_BYTES / stretch) * 0.97)));
});

/** Sends contents for analysis until the measurement is over. */
async function beside<Value>(
  service: RunningService,
  measure: () => Promise<Value>,
): Promise<[Value, number]> {
  const { key } = await service.issue('--plan', 'pro');
  let over = false;
  let analysed = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!over) {
      const { status } = await fetch(`${service.url}${API}/brain/analyze`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: CONTENTS[analysed++ % CONTENTS.length] ?? '',
      });
      if (status !== 200) throw new Error(`an analysis was answered with ${status}`);
    }
  });
  const measured = await measure();
  over = true;
  await Promise.all(callers);
  return [measured, analysed];
}

const row = (compiler: string, analyses: number, times: readonly number[]) => ({
  compiler,
  'analyses a second': Math.round(analyses / SECONDS),
  'median ms': at(times, 0.5),
  'p99 ms': at(times, 0.99),
});

const rows: object[] = [];
for (const [compiler, useJit] of COMPILERS) {
  const service = await start('binary', { SERVICE_RATE_KEY_PER_MINUTE: '1000000', BUN_JSC_useJIT: useJit });
  await beside(service, async () => askForStatus(service, SECONDS));
  rows.push(row(compiler, 0, (await askForStatus(service, SECONDS)).times));
  const [{ times }, analysed] = await beside(service, () => askForStatus(service, SECONDS));
  rows.push(row(compiler, analysed, times));
  await service.end();
}
console.table(rows);
