import { complete, type HookContext } from '../http/context.ts';
import { type CsvCell, csvLine } from '../lib/csv.ts';

/** Answers with a file of CSV that is read as it is sent, however long it is. */
export function csvDownload(
  set: HookContext['set'],
  name: string,
  header: readonly string[],
  rows: AsyncIterable<readonly (readonly CsvCell[])[]>,
): Response {
  Object.assign(set.headers, {
    'content-type': 'text/csv;charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  });
  const chunks = rows[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvLine(header)));
    },
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map(csvLine).join('')));
    },
    async cancel() {
      await chunks.return?.();
    },
  });
  return complete(set, 200, body);
}
