import { refuse } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import { type After, SECOND_MS } from '../lib/clock.ts';
import { type CsvCell, csvLine } from '../lib/csv.ts';
import { WORDS } from './words.ts';

const DOWNLOADS_MAX = 10;
/** How long a browser may read nothing of one. */
const STALLED_MS = 60 * SECOND_MS;

/** A file of CSV, however long. */
export interface CsvFile {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly CsvCell[])[]>;
}

/** Sends files as they are read, a bounded number at once, and no further than whoever asked for them may have them. */
export class Downloads {
  readonly #after: After;
  #open = 0;

  constructor(after: After) {
    this.#after = after;
  }

  /**
   * Answers with a file.
   *
   * @param mayGoOn whether the session that it was begun by still lasts
   * @throws Refusal when too many are being sent
   */
  answer(
    set: HookContext['set'],
    { name, header, rows }: CsvFile,
    mayGoOn: () => Promise<boolean>,
  ): Response {
    if (this.#open >= DOWNLOADS_MAX) throw refuse('RATE_LIMITED', WORDS.tooManyDownloads);
    this.#open += 1;
    const after = this.#after;
    const chunks = rows[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    let [callOff, breakOff, isOver] = [() => {}, () => {}, false];
    const end = (): void => {
      callOff();
      if (!isOver) this.#open -= 1;
      isOver = true;
    };
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        breakOff = () => {
          end();
          controller.error(new Error('the download was broken off'));
        };
        controller.enqueue(encoder.encode(csvLine(header)));
        callOff = after(STALLED_MS, breakOff);
      },
      async pull(controller) {
        callOff();
        const { done, value } = (await mayGoOn()) ? await chunks.next() : { done: false, value: undefined };
        if (isOver) return;
        if (done) {
          end();
          controller.close();
        } else if (value === undefined) breakOff();
        else {
          controller.enqueue(encoder.encode(value.map(csvLine).join('')));
          callOff = after(STALLED_MS, breakOff);
        }
      },
      async cancel() {
        end();
        await chunks.return?.();
      },
    });
    Object.assign(set.headers, {
      'content-type': 'text/csv;charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    });
    return complete(set, 200, body);
  }
}
