import { DAY_MS } from '../../lib/clock.ts';

/** How long a list is valid: a verifier without a network can use one for that long. */
export const STATUS_LIST_VALID_MS = 7 * DAY_MS;

/**
 * The stored facts of a signing key, of credentials or others; its state is derived. All times are milliseconds since the Unix
 * epoch.
 */
export interface IssuerKeyFacts {
  /** See `kidOf` of its kind. */
  readonly kid: string;
  /** When it begins to sign, until a later one does. */
  readonly activeFrom: number;
  readonly revokedAt: number | null;
  /** When its last credential expires; null = it has signed none. */
  readonly lastExpiresAt: number | null;
  /** How long its other signatures can be valid, in milliseconds: as long as a status list, if omitted. */
  readonly holdsMs?: number;
}

/**
 * The life of a key: published as `next` before it signs, so that caches of published keys contain it in time, then `active`,
 * then `retired`, still published until everything that it signed has expired. `gone` keys are not published, nor are `revoked`
 * keys of credentials.
 */
export type IssuerKeyState = 'next' | 'active' | 'retired' | 'gone' | 'revoked';

/** How long a key is published before it signs: longer than published keys may be cached, which is an hour. */
export const NEXT_KEY_MS = 24 * 3_600_000;

/** The signing key: of those whose time has come, the latest. */
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

/** The published keys, in the order in which they begin to sign. */
export const publishedKeys = <Key extends IssuerKeyFacts>(keys: readonly Key[], nowMs: number): Key[] =>
  keys
    .filter((key) => ['next', 'active', 'retired'].includes(issuerKeyState(key, keys, nowMs)))
    .sort((a, b) => (isLater(a, b) ? 1 : -1));

/**
 * Until when a key is published, and its signatures can be valid: until its last credential has expired, and its last status
 * list, which may be used offline.
 *
 * @returns milliseconds since the Unix epoch; Infinity for a key without a successor
 */
export function publishedUntil(key: IssuerKeyFacts, keys: readonly IssuerKeyFacts[]): number {
  const successors = keys.filter(
    (other) => isLater(other, key) && (other.revokedAt === null || other.revokedAt > other.activeFrom),
  );
  const stoppedAt = Math.min(...successors.map(({ activeFrom }) => activeFrom));
  return Math.max(key.lastExpiresAt ?? 0, stoppedAt + (key.holdsMs ?? STATUS_LIST_VALID_MS));
}

/** Whether a key begins to sign after another one. For two at the same time, the name decides, to be deterministic. */
const isLater = (a: IssuerKeyFacts, b: IssuerKeyFacts): boolean =>
  a.activeFrom === b.activeFrom ? a.kid > b.kid : a.activeFrom > b.activeFrom;
