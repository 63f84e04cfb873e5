import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { SharedDraws } from '../lib/shared-draws.ts';
import { type BucketReading, BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import { type ClientAddress, networkOf } from './client-address.ts';
import { HEADER, type HookContext } from './context.ts';
import type { SignInDoor } from './sign-in-counts.ts';

/** Requests per IP address and minute. Each has its own bucket. */
export const PER_IP = {
  /** The contract, the reference pages and unknown paths. */
  public: 300,
  me: 30,
  'license/verify': 60,
  'license/trial': 5,
  checkout: 10,
  /** The page that buyers return to. */
  'checkout-page': 60,
  'threat-feed': 60,
  /** Trust states, with their badges and pages. */
  trust: 120,
  /** The portal and its resources. */
  portal: 300,
  'restore/assess': 60,
  'threat-report': 60,
  /** Invalid keys on any Bearer route; valid keys are not counted. */
  'failed-authentication': 30,
} as const;

/** Maximum number of buckets for all limits per address together. */
export const ADDRESS_BUCKETS_MAX = 100_000;

export type IpLimit = keyof typeof PER_IP;

/** Trials that one network may request, as a multiple of the limit for one address. */
export const ADDRESSES_OF_NETWORK = 2;

export interface LimitSettings {
  readonly rateKeyPerMinute: number;
  /** Replaces all limits per IP address. */
  readonly rateIpPerMinute: number | undefined;
}

/** The tokens that a request consumes: all of them, or none if too few are left. */
export interface Units {
  readonly now: number;
  /** The tokens that a retry would consume from scratch; determines `Retry-After`. */
  readonly again: number;
}
const ONE: Units = { now: 1, again: 1 };

export type Limits = ReturnType<typeof createLimits>;

/** Shows the caller's remaining requests on routes that consume none. */
export type PeekLimits = (context: HookContext) => void | Promise<void>;

/**
 * The service's rate limits. The headers of an answer show the limits that its request counts against.
 *
 * @param shared limits per license that all nodes share; undefined on a single node
 * @param noteFailure called for each invalid key
 */
export function createLimits(
  settings: LimitSettings,
  addressOf: ClientAddress,
  monotonicMs: () => number,
  shared?: SharedDraws,
  noteFailure: (door: SignInDoor, request: Request) => void = () => {},
) {
  const keys = new TokenBuckets(settings.rateKeyPerMinute, new BucketRoom(monotonicMs));
  const pages = new TokenBuckets(settings.rateKeyPerMinute, new BucketRoom(monotonicMs));
  const addressRoom = new BucketRoom(monotonicMs, ADDRESS_BUCKETS_MAX);
  const ips = Object.fromEntries(
    Object.entries(PER_IP).map(([name, perMinute]) => [
      name,
      new TokenBuckets(settings.rateIpPerMinute ?? perMinute, addressRoom),
    ]),
  ) as Record<IpLimit, TokenBuckets>;

  const trialNetworks = new TokenBuckets(
    ADDRESSES_OF_NETWORK * (settings.rateIpPerMinute ?? PER_IP['license/trial']),
    addressRoom,
  );

  /** The local bucket is checked first, so that a flood is refused without a query to the shared one. */
  const spendShared = async (
    context: HookContext,
    { bucket, local }: { readonly bucket: 'key' | 'page'; readonly local: TokenBuckets },
    licenseId: number,
    { now, again }: Units,
    draws: SharedDraws,
  ): Promise<void> => {
    const key = String(licenseId);
    const taken = local.take(key, now, again);
    const capacity = settings.rateKeyPerMinute;
    const drawn = taken.allowed ? await draws.draw({ bucket, capacity, licenseId, units: now }) : undefined;
    const reading = drawn ? local.correct(key, drawn.fullAtMs, drawn.isGranted, again) : taken;
    const refusal = judge(context, reading);
    if (refusal) throw refusal;
  };

  const spendOf =
    (bucket: 'key' | 'page', local: TokenBuckets) =>
    (context: HookContext, licenseId: number, units: Units = ONE): Awaitable<void> =>
      shared
        ? spendShared(context, { bucket, local }, licenseId, units, shared)
        : spend(context, local, String(licenseId), units);

  return {
    /** Counts a request against its address, before any other check. */
    perIp: (name: IpLimit) => {
      const buckets = ips[name];
      return ({ request, set }: HookContext): void => {
        if (set.exchange?.inside === undefined) spend({ request, set }, buckets, addressOf({ request, set }));
      };
    },

    /** Counts a request against the network of its address. */
    perTrialNetwork: (context: HookContext): void =>
      spend(context, trialNetworks, networkOf(addressOf(context))),

    networkOf: (context: HookContext): string => networkOf(addressOf(context)),

    /** Counts a request for an unknown path, which has no route to count it. */
    countUnknownPath: (context: HookContext) => draw(context, ips.public, addressOf(context)),

    /** Consumes tokens of a license, 1 by default; rejects or throws if too few are left. */
    spendKey: spendOf('key', keys),

    /** Consumes tokens for pages of the portal, which do not count against the license's own programs. */
    spendPage: spendOf('page', pages),

    /** Counts an invalid key; returns a refusal if its address has sent too many. */
    countFailedAuthentication(context: HookContext, door: SignInDoor = 'key'): Refusal | undefined {
      noteFailure(door, context.request);
      return draw(context, ips['failed-authentication'], addressOf(context));
    },

    /** Shows the remaining tokens of the caller's key, or of its address without a key. Consumes none. */
    peek(context: HookContext, licenseId: number | undefined): void {
      if (context.set.exchange?.inside) return;
      const reading =
        licenseId === undefined
          ? ips['failed-authentication'].peek(addressOf(context))
          : keys.peek(String(licenseId));
      context.set.headers[HEADER.remaining] = String(reading.remaining);
    },

    /** The limit per key, as shown by /me. */
    keyPolicy: { limit: settings.rateKeyPerMinute, window_seconds: 60, scope: 'key' } as const,
  };
}

/** Consumes tokens and shows how many are left; returns a refusal if there are too few. */
export function draw(
  context: HookContext,
  buckets: TokenBuckets,
  key: string,
  { now, again }: Units = ONE,
): Refusal | undefined {
  return judge(context, buckets.take(key, now, again));
}

function judge(context: HookContext, reading: BucketReading): Refusal | undefined {
  show(context, reading);
  return reading.allowed ? undefined : rateLimited(context, reading);
}

/** @throws Refusal if too few tokens are left; see {@link draw} */
export function spend(context: HookContext, buckets: TokenBuckets, key: string, units?: Units): void {
  const refusal = draw(context, buckets, key, units);
  if (refusal) throw refusal;
}

/** With several buckets, the headers show the one with the fewest tokens, and `Retry-After` is that of the slowest. */
function show({ set: { headers, exchange } }: HookContext, reading: BucketReading): void {
  if (exchange) exchange.nextInSeconds = Math.max(exchange.nextInSeconds ?? 0, reading.retryAfterSeconds);
  const shown = headers[HEADER.remaining];
  if (shown !== undefined && Number(shown) <= reading.remaining) return;
  headers[HEADER.remaining] = String(reading.remaining);
  headers[HEADER.limit] = String(reading.limit);
}

const rateLimited = ({ set: { exchange } }: HookContext, { retryAfterSeconds }: BucketReading) =>
  refuse('RATE_LIMITED', 'Too many requests. Try again later.', exchange?.nextInSeconds ?? retryAfterSeconds);
