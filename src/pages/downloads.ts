import { isRefusal, refuse } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import { type After, type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { type CsvCell, csvLine } from '../lib/csv.ts';
import { WORDS } from './words.ts';

const DOWNLOADS_MAX = 10;
/** Of one owner. */
const DOWNLOADS_OF_ONE = 2;
/** How long one may wait for its browser to read on, which takes a slow one a while when the connection has buffered much. */
const STALLED_MS = 5 * MINUTE_MS;
/** How long until one that waits makes room for another. */
const PATIENCE_MS = 5 * SECOND_MS;
const RETRY_SECONDS = 10;

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

/** One that is under way. */
interface Place {
  /** The owner. */
  readonly owner: number;
  /** Since when its browser has taken nothing more, on the monotonic clock; undefined while the next part is made. */
  waitsSince: number | undefined;
  breakOff: () => void;
}

async function* linesOf({ header, rows }: CsvFile): AsyncGenerator<string> {
  yield csvLine(header);
  for await (const some of rows) yield some.map(csvLine).join('');
}

export interface DownloadParts extends Pick<Clock, 'monotonic'> {
  readonly after: After;
  /** Told of a file that cannot be read to its end. */
  readonly onFault: (error: unknown) => void;
}

/** Sends files as they are read, a bounded number at once, and stops when the requester loses access. */
export class Downloads {
  readonly #parts: DownloadParts;
  readonly #open = new Set<Place>();

  constructor(parts: DownloadParts) {
    this.#parts = parts;
  }

  /**
   * Answers with a file of CSV.
   *
   * @param mayGoOn whether the session that it was begun by still lasts
   * @param owner whose share of all downloads it takes from
   * @throws Refusal when too many are being sent
   */
  answer(set: HookContext['set'], file: CsvFile, mayGoOn: () => Promise<boolean>, owner: number): Response {
    const name = `${file.name}.csv`;
    return this.send(set, { name, type: 'text/csv;charset=utf-8', chunks: linesOf(file) }, mayGoOn, owner);
  }

  /** The same with a file of any kind. */
  send(
    set: HookContext['set'],
    { name, type, chunks: file }: LongFile,
    mayGoOn: () => Promise<boolean>,
    owner: number,
  ): Response {
    const place = this.#enter(owner);
    const { after, monotonic, onFault } = this.#parts;
    const chunks = file[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    let [callOff, isOver] = [() => {}, false];
    const end = (): void => {
      callOff();
      this.#open.delete(place);
      isOver = true;
    };
    const wait = (): void => {
      place.waitsSince = monotonic();
      callOff = after(STALLED_MS, place.breakOff);
    };
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        place.breakOff = () => {
          if (isOver) return;
          end();
          // Without an error, which the runtime would write to stderr.
          controller.error();
        };
        wait();
      },
      async pull(controller) {
        callOff();
        place.waitsSince = undefined;
        try {
          const { done, value } = (await mayGoOn()) ? await chunks.next() : { done: false, value: undefined };
          if (isOver) return;
          if (done) {
            end();
            controller.close();
          } else if (value === undefined) place.breakOff();
          else {
            controller.enqueue(encoder.encode(value));
            wait();
          }
        } catch (error) {
          if (!isRefusal(error)) onFault(error);
          place.breakOff();
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

  /** Lets one begin; where there is no room, the one that has waited longest for its browser goes. */
  #enter(owner: number): Place {
    const own = [...this.#open].filter((each) => each.owner === owner);
    if (own.length >= DOWNLOADS_OF_ONE)
      throw refuse('RATE_LIMITED', WORDS.tooManyOwnDownloads, RETRY_SECONDS);
    if (this.#open.size >= DOWNLOADS_MAX) this.#makeRoom();
    const place: Place = { owner, waitsSince: undefined, breakOff: () => {} };
    this.#open.add(place);
    return place;
  }

  #makeRoom(): void {
    const since = ({ waitsSince = Infinity }: Place) => waitsSince;
    const [slowest] = [...this.#open].sort((one, other) => since(one) - since(other));
    if (slowest === undefined || since(slowest) > this.#parts.monotonic() - PATIENCE_MS)
      throw refuse('RATE_LIMITED', WORDS.tooManyDownloads, RETRY_SECONDS);
    slowest.breakOff();
  }
}
