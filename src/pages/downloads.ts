import { refuse } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import { type After, SECOND_MS } from '../lib/clock.ts';
import { type CsvCell, csvLine } from '../lib/csv.ts';
import { WORDS } from './words.ts';

const DOWNLOADS_MAX = 10;
/** Of one owner, where owners share the bound. */
const DOWNLOADS_OF_ONE = 2;
/** How long a browser may read nothing of one. */
const STALLED_MS = 60 * SECOND_MS;

/** A file of CSV, however long. */
export interface CsvFile {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly CsvCell[])[]>;
}

/** A file of any kind, however long. */
export interface LongFile {
  /** With its ending. */
  readonly name: string;
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

async function* linesOf({ header, rows }: CsvFile): AsyncGenerator<string> {
  yield csvLine(header);
  for await (const some of rows) yield some.map(csvLine).join('');
}

/** Sends files as they are read, a bounded number at once, and no further than whoever asked for them may have them. */
export class Downloads {
  readonly #after: After;
  /** Whose each of those under way is. */
  readonly #open = new Set<{ readonly owner: number | undefined }>();

  constructor(after: After) {
    this.#after = after;
  }

  /**
   * Answers with a file of CSV.
   *
   * @param mayGoOn whether the session that it was begun by still lasts
   * @param owner whose share of all downloads it takes from
   * @throws Refusal when too many are being sent
   */
  answer(set: HookContext['set'], file: CsvFile, mayGoOn: () => Promise<boolean>, owner?: number): Response {
    const name = `${file.name}.csv`;
    return this.send(set, { name, type: 'text/csv;charset=utf-8', chunks: linesOf(file) }, mayGoOn, owner);
  }

  /** The same with a file of any kind. */
  send(
    set: HookContext['set'],
    { name, type, chunks: file }: LongFile,
    mayGoOn: () => Promise<boolean>,
    owner?: number,
  ): Response {
    const leave = this.#enter(owner);
    const after = this.#after;
    const chunks = file[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    let [callOff, breakOff, isOver] = [() => {}, () => {}, false];
    const end = (): void => {
      callOff();
      leave();
      isOver = true;
    };
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        breakOff = () => {
          end();
          controller.error(new Error('the download was broken off'));
        };
        callOff = after(STALLED_MS, breakOff);
      },
      async pull(controller) {
        callOff();
        const next = async () =>
          (await mayGoOn()) ? chunks.next() : { done: false as const, value: undefined };
        const { done, value } = await next().catch((error) => {
          end();
          throw error;
        });
        if (isOver) return;
        if (done) {
          end();
          controller.close();
        } else if (value === undefined) breakOff();
        else {
          controller.enqueue(encoder.encode(value));
          callOff = after(STALLED_MS, breakOff);
        }
      },
      async cancel() {
        end();
        await chunks.return?.();
      },
    });
    Object.assign(set.headers, {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
    });
    return complete(set, 200, body);
  }

  #enter(owner: number | undefined): () => void {
    if (this.#open.size >= DOWNLOADS_MAX) throw refuse('RATE_LIMITED', WORDS.tooManyDownloads);
    const own = [...this.#open].filter((each) => owner !== undefined && each.owner === owner);
    if (own.length >= DOWNLOADS_OF_ONE) throw refuse('RATE_LIMITED', WORDS.tooManyOwnDownloads);
    const place = { owner };
    this.#open.add(place);
    return () => this.#open.delete(place);
  }
}
