import type { After } from '../lib/clock.ts';
import { every } from '../lib/every.ts';
import { Seats } from '../lib/seats.ts';
import { complete, type HookContext } from './context.ts';

/** The limit of open streams. Beyond it, the answer 204 stops a browser from asking again. */
const STREAMS_MAX = 100;
/** Of one owner: more pages than a person looks at. */
const STREAMS_OF_ONE = 10;
/** Also tells proxies and browsers that the connection is alive. */
const EVERY_MS = 5_000;
/** How long a browser waits before it asks again, when a stream has ended. */
const RETRY_MS = 5_000;

/** Reads the state that a stream watches, as a text that differs after each change; undefined = the listener has lost its access. */
export type Look = () => Promise<string | undefined>;

export interface EventStreamParts {
  readonly after: After;
  readonly onFault: (error: unknown) => void;
}

const ENCODER = new TextEncoder();

/** Streams of server-sent events that tell only that something has changed, to be asked for again. */
export class EventStreams {
  readonly #parts: EventStreamParts;
  readonly #open = new Set<() => void>();
  readonly #seats = new Seats<number>(STREAMS_MAX, STREAMS_OF_ONE);

  constructor(parts: EventStreamParts) {
    this.#parts = parts;
  }

  /**
   * Answers with a stream that sends `changed` after each change of the watched state, and `ended` when the listener loses its
   * access.
   *
   * @param owner whose share of all streams it takes from
   * @param seen what the listener has seen already
   */
  answer({ request, set }: HookContext, owner: number, look: Look, seen: string | undefined): Response {
    const isHead = request.method === 'HEAD';
    const leave = isHead ? undefined : this.#seats.take(owner);
    if (leave === undefined && !isHead) return complete(set, 204, null);
    set.headers['content-type'] = 'text/event-stream;charset=utf-8';
    // Its body would be waited for, and never come.
    if (leave === undefined) return complete(set, 200, null);
    let end = () => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (text: string) => controller.enqueue(ENCODER.encode(text));
        let last = seen;
        const stop = every(
          EVERY_MS,
          this.#parts.after,
          async () => {
            const now = await look();
            if (!this.#open.has(end)) return;
            if (now === undefined) {
              send('event: ended\ndata:\n\n');
              end();
            } else send(now === last ? ':\n\n' : `event: changed\ndata: ${now}\n\n`);
            last = now;
          },
          this.#parts.onFault,
        );
        end = () => {
          stop();
          leave();
          if (this.#open.delete(end)) controller.close();
        };
        this.#open.add(end);
        send(`retry: ${RETRY_MS}\n\n`);
      },
      cancel: () => {
        this.#open.delete(end);
        end();
      },
    });
    return complete(set, 200, body);
  }

  /** Ends every stream; browsers open another one in a moment. */
  endAll(): void {
    for (const end of [...this.#open]) end();
  }
}
