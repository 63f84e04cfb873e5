import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { SharedDraws } from '../lib/shared-draws.ts';
import { type BucketReading, BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import { type ClientAddress, networkOf } from './client-address.ts';
import { HEADER, type HookContext } from './context.ts';
import type { SignInDoor } from './sign-in-counts.ts';

/** Requests per IP address and minute, each its own bucket. */
export const PER_IP = {
  /** The contract, the pages of the reference, and unknown paths. */
  public: 300,
  me: 30,
  'license/verify': 60,
  'license/trial': 5,
  checkout: 10,
  /** The page where a buyer lands. */
  'checkout-page': 60,
  'threat-feed': 60,
  /** Trust states, their badges and pages. */
  trust: 120,
  /** The pages of tenants, with all that they ask for. */
  portal: 300,
  'restore/assess': 60,
  'threat-report': 60,
  /** Wrong keys on any Bearer route; a right one is never counted. */
  'failed-authentication': 30,
} as const;

/** Of all limits per address together. */
export const ADDRESS_BUCKETS_MAX = 100_000;

export type IpLimit = keyof typeof PER_IP;

/** A network may ask for trials as often as so many of its addresses. */
export const ADDRESSES_OF_NETWORK = 2;

export interface LimitSettings {
  readonly rateKeyPerMinute: number;
  /** One value for every limit per IP address. */
  readonly rateIpPerMinute: number | undefined;
}

/** Tokens that a request takes, all or none. */
export interface Units {
  readonly now: number;
  /** What it would take from its beginning, if it came again. */
  readonly again: number;
}
const ONE: Units = { now: 1, again: 1 };

export type Limits = ReturnType<typeof createLimits>;

/** A guard for routes that consume nothing: shows what the caller could draw from. */
export type PeekLimits = (context: HookContext) => void | Promise<void>;

/**
 * The service's rate limits; every one that a request draws from shows in its headers.
 *
 * @param shared what all nodes draw from per license; undefined where there is one
 * @param noteFailure called for each wrong key
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

  /** The bucket here is asked first, so that a flood is turned away without asking for what all nodes share. */
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
    /** Takes a token of the caller's address, before anything else is checked. */
    perIp: (name: IpLimit) => {
      const buckets = ips[name];
      return ({ request, set }: HookContext): void => {
        if (set.exchange?.inside === undefined) spend({ request, set }, buckets, addressOf({ request, set }));
      };
    },

    /** Takes a token of the caller's network, which has many addresses. */
    perTrialNetwork: (context: HookContext): void =>
      spend(context, trialNetworks, networkOf(addressOf(context))),

    /** The network that a caller belongs to. */
    networkOf: (context: HookContext): string => networkOf(addressOf(context)),

    /** Takes a token for a path that does not exist, which no hook of a route could count. */
    countUnknownPath: (context: HookContext) => draw(context, ips.public, addressOf(context)),

    /** Takes tokens of a license, one unless told otherwise; rejects, or throws, when not all of them are there. */
    spendKey: spendOf('key', keys),

    /** The same for pages of the portal, which leave a license's own programs what they have. */
    spendPage: spendOf('page', pages),

    /** Takes a token for a wrong key; refuses it when its address has sent too many. */
    countFailedAuthentication(context: HookContext, door: SignInDoor = 'key'): Refusal | undefined {
      noteFailure(door, context.request);
      return draw(context, ips['failed-authentication'], addressOf(context));
    },

    /** Reports, without taking anything, what the caller could draw from: its key's bucket, else its address's. */
    peek(context: HookContext, licenseId: number | undefined): void {
      if (context.set.exchange?.inside) return;
      const reading =
        licenseId === undefined
          ? ips['failed-authentication'].peek(addressOf(context))
          : keys.peek(String(licenseId));
      context.set.headers[HEADER.remaining] = String(reading.remaining);
    },

    /** What /me says of the limit per key. */
    keyPolicy: { limit: settings.rateKeyPerMinute, window_seconds: 60, scope: 'key' } as const,
  };
}

/** Takes a token, or several, and shows what is left; refuses the request when they are not there. */
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

/** @throws Refusal as {@link draw} returns it */
export function spend(context: HookContext, buckets: TokenBuckets, key: string, units?: Units): void {
  const refusal = draw(context, buckets, key, units);
  if (refusal) throw refusal;
}

/** Of several buckets, the headers show the one that will be empty first, and a refusal waits for the slowest. */
function show({ set: { headers, exchange } }: HookContext, reading: BucketReading): void {
  if (exchange) exchange.nextInSeconds = Math.max(exchange.nextInSeconds ?? 0, reading.retryAfterSeconds);
  const shown = headers[HEADER.remaining];
  if (shown !== undefined && Number(shown) <= reading.remaining) return;
  headers[HEADER.remaining] = String(reading.remaining);
  headers[HEADER.limit] = String(reading.limit);
}

const rateLimited = ({ set: { exchange } }: HookContext, { retryAfterSeconds }: BucketReading) =>
  refuse('RATE_LIMITED', 'Too many requests. Try again later.', exchange?.nextInSeconds ?? retryAfterSeconds);
