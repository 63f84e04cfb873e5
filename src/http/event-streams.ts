import type { After } from '../lib/clock.ts';
import { every } from '../lib/every.ts';
import { Seats } from '../lib/seats.ts';
import { complete, type HookContext } from './context.ts';

/** Maximum number of open streams. Further requests get 204, after which browsers do not reconnect. */
const STREAMS_MAX = 100;
/** Per owner; more pages than a person watches. */
const STREAMS_OF_ONE = 10;
/** Interval of the checks. Each sends at least a comment, which keeps the connection alive. */
const EVERY_MS = 5_000;
/** How long browsers wait before reconnecting after a stream has ended. */
const RETRY_MS = 5_000;

/** Reads the watched state as a text that differs after each change; undefined if the listener has lost its access. */
export type Look = () => Promise<string | undefined>;

export interface EventStreamParts {
  readonly after: After;
  readonly onFault: (error: unknown) => void;
}

const ENCODER = new TextEncoder();

/** Streams of server-sent events that announce changes without their content; the client then reloads. */
export class EventStreams {
  readonly #parts: EventStreamParts;
  readonly #open = new Set<() => void>();
  readonly #seats = new Seats<number>(STREAMS_MAX, STREAMS_OF_ONE);

  constructor(parts: EventStreamParts) {
    this.#parts = parts;
  }

  /**
   * Opens a stream that sends `changed` after each change of the watched state, and `ended` when the listener loses its access.
   *
   * @param owner counted by {@link STREAMS_OF_ONE}
   * @param seen the state that the listener already has
   */
  answer({ request, set }: HookContext, owner: number, look: Look, seen: string | undefined): Response {
    const isHead = request.method === 'HEAD';
    const release = isHead ? undefined : this.#seats.take(owner);
    if (release === undefined && !isHead) return complete(set, 204, null);
    set.headers['content-type'] = 'text/event-stream;charset=utf-8';
    // For HEAD, the runtime would wait for a body that never ends.
    if (release === undefined) return complete(set, 200, null);
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
          release();
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

  /** Ends all streams; browsers reconnect after {@link RETRY_MS}. */
  endAll(): void {
    for (const end of [...this.#open]) end();
  }
}
