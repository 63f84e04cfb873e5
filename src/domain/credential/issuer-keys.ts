import { DAY_MS } from '../../lib/clock.ts';

/** How long a list is valid: a verifier without a network can use one for that long. */
export const STATUS_LIST_VALID_MS = 7 * DAY_MS;

/** What is known of a key that signs, credentials or anything else; its state is derived. All moments are milliseconds since the Unix epoch. */
export interface IssuerKeyFacts {
  /** See `kidOf` of its kind. */
  readonly kid: string;
  /** From when on it signs, until a later one does. */
  readonly activeFrom: number;
  readonly revokedAt: number | null;
  /** When the last credential that it has signed expires; null = it has signed none. */
  readonly lastExpiresAt: number | null;
  /** How long what else it signs can hold, in milliseconds: as long as a status list, if left out. */
  readonly holdsMs?: number;
}

/**
 * What becomes of a key: it is published as `next` before it signs, so that whoever keeps the published keys for a while knows it in
 * time, is `active`, and then `retired`, published until nothing holds any more that it has signed. `gone` ones are not published, and
 * `revoked` ones of credentials are not.
 */
export type IssuerKeyState = 'next' | 'active' | 'retired' | 'gone' | 'revoked';

/** How long a key is published before it signs: longer than anybody keeps the published keys, which is an hour. */
export const NEXT_KEY_MS = 24 * 3_600_000;

/** The key that signs: of those that may, the one whose time came last. */
export const activeKey = <Key extends IssuerKeyFacts>(keys: readonly Key[], nowMs: number): Key | undefined =>
  keys
    .filter(({ activeFrom, revokedAt }) => revokedAt === null && activeFrom <= nowMs)
    .reduce<Key | undefined>((last, key) => (last && isLater(last, key) ? last : key), undefined);

/** The state of one of all keys. */
export function issuerKeyState(
  key: IssuerKeyFacts,
  keys: readonly IssuerKeyFacts[],
  nowMs: number,
): IssuerKeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.activeFrom > nowMs) return 'next';
  if (activeKey(keys, nowMs)?.kid === key.kid) return 'active';
  return nowMs < publishedUntil(key, keys) ? 'retired' : 'gone';
}

/** The keys that verifiers are told, in the order in which they came to sign. */
export const publishedKeys = <Key extends IssuerKeyFacts>(keys: readonly Key[], nowMs: number): Key[] =>
  keys
    .filter((key) => ['next', 'active', 'retired'].includes(issuerKeyState(key, keys, nowMs)))
    .sort((a, b) => (isLater(a, b) ? 1 : -1));

/**
 * Until when a key is published, and what it has signed can hold: until its last credential has expired, and its last status list,
 * which somebody may carry along without a network.
 *
 * @returns milliseconds since the Unix epoch; Infinity for a key after which none is to sign
 */
export function publishedUntil(key: IssuerKeyFacts, keys: readonly IssuerKeyFacts[]): number {
  const successors = keys.filter(
    (other) => isLater(other, key) && (other.revokedAt === null || other.revokedAt > other.activeFrom),
  );
  const stoppedAt = Math.min(...successors.map(({ activeFrom }) => activeFrom));
  return Math.max(key.lastExpiresAt ?? 0, stoppedAt + (key.holdsMs ?? STATUS_LIST_VALID_MS));
}

/** Whether a key comes to sign after another one. Of two that come at once, the name decides, so that it is the same every time. */
const isLater = (a: IssuerKeyFacts, b: IssuerKeyFacts): boolean =>
  a.activeFrom === b.activeFrom ? a.kid > b.kid : a.activeFrom > b.activeFrom;
