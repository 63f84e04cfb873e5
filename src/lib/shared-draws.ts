import { type After, MINUTE_MS, SECOND_MS } from './clock.ts';
import { within } from './within.ts';

/** A token that is wanted of a bucket that several nodes share, filled up by its capacity in each minute. */
export interface WantedDraw {
  readonly bucket: string;
  /** 1 or more tokens. */
  readonly capacity: number;
  readonly licenseId: number;
}

/** Tokens of one bucket that are wanted together. */
export interface GroupedDraw extends WantedDraw {
  readonly count: number;
}

/** What came of them. */
export interface GroupedGrant {
  /** From 0 to as many as were wanted. */
  readonly granted: number;
  /** Milliseconds until the bucket is full, when it was asked. */
  readonly fullInMs: number;
}

/** Asks whoever keeps the buckets; each draw has its grant, in their order. */
export type AskForGrants = (draws: readonly GroupedDraw[]) => Promise<readonly GroupedGrant[]>;

export interface Drawn {
  readonly isGranted: boolean;
  /** When the bucket is full, by the clock that never goes back: not later than it really is. */
  readonly fullAtMs: number;
}

/** The buckets that several nodes share. */
export interface SharedDraws {
  /** @returns undefined when nobody could be asked in time: then each node counts for itself */
  draw(wanted: WantedDraw): Promise<Drawn | undefined>;
  /** Whether each node counts for itself. */
  readonly isAway: boolean;
  /** Asks nobody again by itself. */
  stop(): void;
}

export interface SharedDrawParts {
  readonly ask: AskForGrants;
  readonly monotonic: () => number;
  readonly after: After;
  /** Called when it begins, and when it is over, that nobody can be asked. */
  readonly onChange: (isAway: boolean) => void;
}

/** Nobody waits longer to be counted. */
const ANSWER_MS_MAX = 50;
/** How long until whoever did not answer is asked again, which no caller waits for. */
const ASK_AGAIN_MS = SECOND_MS;

interface Group {
  readonly wanted: WantedDraw;
  readonly waiting: ((drawn: Drawn | undefined) => void)[];
}

/** Draws what arrives together together: one question at a time, however many callers there are. */
export function createSharedDraws({ ask, monotonic, after, onChange }: SharedDrawParts): SharedDraws {
  let groups = new Map<string, Group>();
  let asking = false;
  let isAway = false;
  let isStopped = false;
  let callOff = () => {};

  const note = (nowAway: boolean): void => {
    if (nowAway && !isStopped) callOff = after(ASK_AGAIN_MS, askAgain);
    if (nowAway === isAway) return;
    isAway = nowAway;
    onChange(isAway);
  };

  const askAgain = async (): Promise<void> => note((await askFor([])) === undefined);

  const askFor = async (asked: readonly Group[]): Promise<readonly GroupedGrant[] | undefined> => {
    const draws = asked.map(({ wanted, waiting }) => ({ ...wanted, count: waiting.length }));
    const grants = ask(draws).catch(() => undefined);
    if ((await within(grants, ANSWER_MS_MAX)) !== 'timeout') return grants;
    // It may be this process that was busy, and the answer be there, unread.
    const unread = await within(grants, 0);
    return unread === 'timeout' ? undefined : unread;
  };

  const settle = async (asked: readonly Group[]): Promise<void> => {
    const askedAt = monotonic();
    const grants = await askFor(asked);
    // Of several questions that were under way one is enough to begin asking again.
    if (!isAway) note(grants === undefined);
    for (const [index, { wanted, waiting }] of asked.entries()) {
      const grant = grants?.[index];
      const tokenMs = MINUTE_MS / wanted.capacity;
      for (const [place, tell] of waiting.entries()) {
        // Of those that were granted together, each sees what the ones before it have left.
        const after = grant && Math.max(0, grant.granted - 1 - place);
        tell(
          grant && {
            isGranted: place < grant.granted,
            fullAtMs: askedAt + grant.fullInMs - (after ?? 0) * tokenMs,
          },
        );
      }
    }
  };

  const drain = async (): Promise<void> => {
    asking = true;
    // One turn later, so that what arrives together is asked together.
    await new Promise(setImmediate);
    while (groups.size > 0) {
      const asked = [...groups.values()];
      groups = new Map();
      await settle(asked);
    }
    asking = false;
  };

  return {
    draw(wanted) {
      if (isAway) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const name = `${wanted.bucket} ${wanted.licenseId}`;
        const group = groups.get(name) ?? { wanted, waiting: [] };
        group.waiting.push(resolve);
        groups.set(name, group);
        if (!asking) void drain();
      });
    },
    get isAway() {
      return isAway;
    },
    stop() {
      isStopped = true;
      callOff();
    },
  };
}
