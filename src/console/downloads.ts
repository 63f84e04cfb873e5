import { hasRole } from '../domain/admin/operator.ts';
import { refuse } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import { type After, SECOND_MS } from '../lib/clock.ts';
import { type CsvCell, csvLine } from '../lib/csv.ts';
import type { SignIn } from '../operator/sign-in.ts';
import { TEXTS } from './texts.ts';

const DOWNLOADS_MAX = 10;
/** How long a browser may read nothing of one. */
const STALLED_MS = 60 * SECOND_MS;

/** A file of CSV, however long. */
export interface CsvFile {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly CsvCell[])[]>;
}

export interface DownloadParts {
  readonly after: After;
  readonly signIn: Pick<SignIn, 'sessionOf'>;
}

/** Sends files to operators as they are read, a bounded number at once, and no further than their sessions last. */
export class Downloads {
  readonly #parts: DownloadParts;
  #open = 0;

  constructor(parts: DownloadParts) {
    this.#parts = parts;
  }

  /**
   * Answers with a file.
   *
   * @param token what the session is held by
   * @throws Refusal when too many are being sent
   */
  answer(
    { set, token }: Pick<HookContext, 'set'> & { readonly token: string },
    { name, header, rows }: CsvFile,
  ): Response {
    if (this.#open >= DOWNLOADS_MAX) throw refuse('RATE_LIMITED', TEXTS.tooManyDownloads);
    this.#open += 1;
    const { after, signIn } = this.#parts;
    const chunks = rows[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    const mayGoOn = async () => {
      const session = await signIn.sessionOf(token);
      return session !== undefined && hasRole(session.operator.role, 'operator');
    };
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
