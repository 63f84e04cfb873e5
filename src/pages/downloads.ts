import { isRefusal, refuse } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import { type After, type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { type CsvCell, csvLine } from '../lib/csv.ts';
import { WORDS } from './words.ts';

const DOWNLOADS_MAX = 10;
const DOWNLOADS_PER_OWNER_MAX = 2;
/**
 * A download is aborted if its browser reads nothing for this long. Slow browsers need a while to read the buffers of the
 * connection.
 */
const STALL_TIMEOUT_MS = 5 * MINUTE_MS;
/** Minimum idle time of a download before it can be aborted in favor of another. */
const IDLE_MS_MIN = 5 * SECOND_MS;
const RETRY_SECONDS = 10;

/** A CSV file of any length. */
export interface CsvFile {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly CsvCell[])[]>;
}

/** A file of any type and length. */
export interface LongFile {
  /** File name with its extension. */
  readonly name: string;
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

/** A download in progress. */
interface Transfer {
  readonly owner: number;
  /** Time since which the browser has read nothing, on the monotonic clock; undefined while the next chunk is created. */
  idleSince: number | undefined;
  abort: () => void;
}

async function* linesOf({ header, rows }: CsvFile): AsyncGenerator<string> {
  yield csvLine(header);
  for await (const some of rows) yield some.map(csvLine).join('');
}

export interface DownloadParts extends Pick<Clock, 'monotonic'> {
  readonly after: After;
  /** Called if a file cannot be read completely. */
  readonly onFault: (error: unknown) => void;
}

/** Streams files, with a limit of concurrent downloads. Aborts a download when its requester loses access. */
export class Downloads {
  readonly #parts: DownloadParts;
  readonly #open = new Set<Transfer>();

  constructor(parts: DownloadParts) {
    this.#parts = parts;
  }

  /**
   * Answers with a CSV file.
   *
   * @param mayGoOn returns whether the session is still valid; called before each chunk
   * @param owner counts against this owner's limit
   * @throws Refusal if too many downloads are in progress
   */
  answer(set: HookContext['set'], file: CsvFile, mayGoOn: () => Promise<boolean>, owner: number): Response {
    const name = `${file.name}.csv`;
    return this.send(set, { name, type: 'text/csv;charset=utf-8', chunks: linesOf(file) }, mayGoOn, owner);
  }

  /** Like `answer`, for a file of any type. */
  send(
    set: HookContext['set'],
    { name, type, chunks: file }: LongFile,
    mayGoOn: () => Promise<boolean>,
    owner: number,
  ): Response {
    const transfer = this.#admit(owner);
    const { after, monotonic, onFault } = this.#parts;
    const chunks = file[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    let [stopTimer, hasEnded] = [() => {}, false];
    const end = (): void => {
      stopTimer();
      this.#open.delete(transfer);
      hasEnded = true;
    };
    const wait = (): void => {
      transfer.idleSince = monotonic();
      stopTimer = after(STALL_TIMEOUT_MS, transfer.abort);
    };
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        transfer.abort = () => {
          if (hasEnded) return;
          end();
          // Without an argument, because the runtime would log an error to stderr.
          controller.error();
        };
        wait();
      },
      async pull(controller) {
        stopTimer();
        transfer.idleSince = undefined;
        try {
          const { done, value } = (await mayGoOn()) ? await chunks.next() : { done: false, value: undefined };
          if (hasEnded) return;
          if (done) {
            end();
            controller.close();
          } else if (value === undefined) transfer.abort();
          else {
            controller.enqueue(encoder.encode(value));
            wait();
          }
        } catch (error) {
          if (!isRefusal(error)) onFault(error);
          transfer.abort();
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

  /** Admits a download. At the limit, the one that has been idle longest is aborted. */
  #admit(owner: number): Transfer {
    const own = [...this.#open].filter((each) => each.owner === owner);
    if (own.length >= DOWNLOADS_PER_OWNER_MAX)
      throw refuse('RATE_LIMITED', WORDS.tooManyOwnDownloads, RETRY_SECONDS);
    if (this.#open.size >= DOWNLOADS_MAX) this.#abortSlowest();
    const transfer: Transfer = { owner, idleSince: undefined, abort: () => {} };
    this.#open.add(transfer);
    return transfer;
  }

  #abortSlowest(): void {
    const since = ({ idleSince = Infinity }: Transfer) => idleSince;
    const [slowest] = [...this.#open].sort((one, other) => since(one) - since(other));
    if (slowest === undefined || since(slowest) > this.#parts.monotonic() - IDLE_MS_MIN)
      throw refuse('RATE_LIMITED', WORDS.tooManyDownloads, RETRY_SECONDS);
    slowest.abort();
  }
}
