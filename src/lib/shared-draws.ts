import { MINUTE_MS, SECOND_MS } from './clock.ts';
import { Fault } from './fault.ts';
import { within } from './within.ts';

/** A request for tokens of a shared bucket, which is refilled by its capacity every minute. */
export interface WantedDraw {
  readonly bucket: string;
  /** 1 or more tokens. */
  readonly capacity: number;
  readonly licenseId: number;
  /** Tokens per draw, granted together or not at all: 1 to the capacity. */
  readonly units: number;
}

/** Several equal draws from one bucket. */
export interface GroupedDraw extends WantedDraw {
  readonly count: number;
}

/** The result of a grouped draw. */
export interface GroupedGrant {
  /** Granted draws, from 0 to `count`. */
  readonly granted: number;
  /** Milliseconds until the bucket is full, at the time of the query. */
  readonly fullInMs: number;
}

/** Sends draws to the server with the buckets; returns a grant for each, in order. A Fault's message is for operators. */
export type AskForGrants = (draws: readonly GroupedDraw[]) => Promise<readonly GroupedGrant[]>;

export interface Drawn {
  readonly isGranted: boolean;
  /** When the bucket will be full, on the monotonic clock; never later than it really is. */
  readonly fullAtMs: number;
}

/** Buckets shared by several nodes. */
export interface SharedDraws {
  /** @returns undefined if there is no answer in time; each node then counts alone */
  draw(wanted: WantedDraw): Promise<Drawn | undefined>;
  /** Whether a server counts for all nodes. Checked now, unless known from the last second. */
  isCounted(): Promise<boolean>;
}

export interface SharedDrawParts {
  readonly ask: AskForGrants;
  readonly monotonic: () => number;
  /** Called when the server becomes unavailable, and for each further reason until it is available again. */
  readonly onAway: (reason: string | undefined) => void;
  readonly onBack: () => void;
}

/** The longest wait of a request for the server. */
const ANSWER_MS_MAX = 50;
/** The pause after a missing answer, and the greatest age of a known availability. */
const KNOWN_MS = SECOND_MS;

interface Group {
  readonly wanted: WantedDraw;
  readonly waiting: ((drawn: Drawn | undefined) => void)[];
}

/** Combines concurrent draws into one query at a time, for any number of callers. */
export function createSharedDraws({ ask, monotonic, onAway, onBack }: SharedDrawParts): SharedDraws {
  let groups = new Map<string, Group>();
  let asking = false;
  let checking: Promise<void> | undefined;
  /** The reported reasons why the server is unavailable; undefined while it is available. */
  let reportedReasons: Set<string | undefined> | undefined;
  let knownUntil = Number.NEGATIVE_INFINITY;

  const noteAnswer = (): void => {
    knownUntil = monotonic() + KNOWN_MS;
    if (reportedReasons) onBack();
    reportedReasons = undefined;
  };

  const noteAway = (error?: unknown): void => {
    knownUntil = monotonic() + KNOWN_MS;
    const reason = error instanceof Fault ? error.message : undefined;
    if (reportedReasons && (reason === undefined || reportedReasons.has(reason))) return;
    reportedReasons = (reportedReasons ?? new Set()).add(reason);
    onAway(reason);
  };

  const askFor = async (draws: readonly GroupedDraw[]): Promise<readonly GroupedGrant[] | undefined> => {
    const grants = ask(draws);
    // A late result is ignored, and so is a late error.
    grants.catch(() => {});
    try {
      const inTime = await within(grants, ANSWER_MS_MAX);
      // If this process was busy, the answer may have arrived without being read.
      const answer = inTime === 'timeout' ? await within(grants, 0) : inTime;
      if (answer === 'timeout') return void noteAway();
      noteAnswer();
      return answer;
    } catch (error) {
      return void noteAway(error);
    }
  };

  const check = async (): Promise<void> => {
    await askFor([]);
    checking = undefined;
  };

  const settle = async (asked: readonly Group[]): Promise<void> => {
    const askedAt = monotonic();
    const grants = await askFor(asked.map(({ wanted, waiting }) => ({ ...wanted, count: waiting.length })));
    for (const [index, { wanted, waiting }] of asked.entries()) {
      const grant = grants?.[index];
      const drawMs = (wanted.units * MINUTE_MS) / wanted.capacity;
      for (const [place, resolve] of waiting.entries()) {
        // Granted draws are ordered: each caller sees the tokens that remain after its own.
        const after = grant && Math.max(0, grant.granted - 1 - place);
        resolve(
          grant && {
            isGranted: place < grant.granted,
            fullAtMs: askedAt + grant.fullInMs - (after ?? 0) * drawMs,
          },
        );
      }
    }
  };

  const drain = async (): Promise<void> => {
    asking = true;
    while (groups.size > 0) {
      // One turn later, so that draws that arrive together are sent together.
      await new Promise(setImmediate);
      const asked = [...groups.values()];
      groups = new Map();
      await settle(asked);
    }
    asking = false;
  };

  return {
    draw(wanted) {
      if (reportedReasons && monotonic() < knownUntil) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const name = `${wanted.bucket} ${wanted.licenseId} ${wanted.units}`;
        const group = groups.get(name) ?? { wanted, waiting: [] };
        group.waiting.push(resolve);
        groups.set(name, group);
        if (!asking) void drain();
      });
    },
    async isCounted() {
      if (monotonic() >= knownUntil) {
        checking ??= check();
        await checking;
      }
      return reportedReasons === undefined;
    },
  };
}
