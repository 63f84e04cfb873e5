import { iso } from '../../lib/clock.ts';
import { uuid5 } from '../../lib/uuid5.ts';
import { isObject } from '../credential/jws.ts';
import { type AttackType, attackTypeOf, severityOfAttack } from './attack-type.ts';
import type { FeedEntry } from './feed.ts';
import type { FeedBundle } from './feed-bundle.ts';
import type { FeedObject } from './feed-object.ts';
import { isFingerprint } from './fingerprint.ts';

// The feed as objects of STIX 2.1 (OASIS Standard, 10 June 2021), which other tools read. All their values come from the feed's own
// closed fields, so nothing needs escaping, and nothing of a customer is in them.

/** The names of our objects are derived from this UUID. */
export const NAMESPACE = '7ae5e2b6-0f0e-5d0c-9a3c-3f1d6a0c5f41';
/** When the objects that all bundles share were created. */
const SINCE = '2026-11-27T00:00:00.000Z';
/** When patterns got their present form. */
const PATTERN_SINCE = '2026-11-30T00:00:00.000Z';

const AUTHOR = `identity--${uuid5(NAMESPACE, 'redoubt')}`;
const EXTENSION = `extension-definition--${uuid5(NAMESPACE, 'redoubt-threat')}`;

/** An object of STIX, as far as other code reads it. */
export interface StixObject {
  readonly type: string;
  readonly id: string;
  readonly modified: string;
  readonly [property: string]: unknown;
}

/** What indicators refer to: their author, and the definition of their extension. */
export const COMMON = [
  {
    type: 'identity',
    spec_version: '2.1',
    id: AUTHOR,
    created: SINCE,
    modified: SINCE,
    name: 'Redoubt',
    identity_class: 'organization',
  },
  {
    type: 'extension-definition',
    spec_version: '2.1',
    id: EXTENSION,
    created_by_ref: AUTHOR,
    created: SINCE,
    modified: PATTERN_SINCE,
    name: 'redoubt-threat',
    description:
      'A threat of a feed: its fingerprint, attack type, severity and number of customers. Patterns name the fingerprint as x-redoubt-fingerprint:value',
    schema: 'docs/feed.md, "The form of a bundle"',
    version: '1.1.0',
    extension_types: ['property-extension', 'new-sco'],
  },
] as const satisfies readonly StixObject[];

/** The UUID of a threat's indicator, which depends on the fingerprint alone. */
export const indicatorUuid = (fingerprint: string): string => uuid5(NAMESPACE, `indicator ${fingerprint}`);

const patternOf = (fingerprint: string): string => `[x-redoubt-fingerprint:value = '${fingerprint}']`;
/** The form of bundles before 30 November 2026. */
const olderPatternOf = (fingerprint: string): string => `[x-redoubt-threat:fingerprint = '${fingerprint}']`;

interface Indicated extends FeedEntry {
  readonly uuid: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** When it stops being valid; undefined: when it is withdrawn. */
  readonly validUntil?: number;
}

const indicator = ({ uuid, createdAt, modifiedAt, validUntil, ...entry }: Indicated) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: `indicator--${uuid}`,
  created_by_ref: AUTHOR,
  name: entry.attack_type,
  description: 'Reported by several customers',
  created: iso(createdAt),
  modified: iso(modifiedAt),
  indicator_types: ['malicious-activity'],
  pattern: patternOf(entry.fingerprint),
  pattern_type: 'stix',
  valid_from: iso(createdAt),
  ...(validUntil === undefined ? {} : { valid_until: iso(validUntil) }),
  labels: [entry.attack_type],
  extensions: { [EXTENSION]: { extension_type: 'property-extension', ...entry } },
});

/** The indicator of a threat in its present version. */
export function stixIndicator(object: FeedObject): StixObject {
  const { fingerprint, attackType, corroborationCount, isWithdrawn, ...history } = object;
  const severity = severityOfAttack(attackType);
  const entry = { fingerprint, attack_type: attackType, severity, corroboration_count: corroborationCount };
  const { uuid, createdAt, modifiedAt } = history;
  const made = indicator({ ...entry, uuid, createdAt, modifiedAt });
  return isWithdrawn ? { ...made, revoked: true } : made;
}

/**
 * The text of a bundle: the same for the same entries.
 *
 * @param generatedAt when the feed first had this content, in milliseconds since the Unix epoch
 * @param createdAt when a threat was in the feed first
 */
export function stixText(
  entries: readonly FeedEntry[],
  { installation, serial, expiresAt }: FeedBundle,
  generatedAt: number,
  createdAt: (fingerprint: string) => number | undefined = () => undefined,
): string {
  const indicators = entries.map(({ fingerprint, attack_type, severity, corroboration_count }) =>
    indicator({
      fingerprint,
      attack_type,
      severity,
      corroboration_count,
      uuid: indicatorUuid(fingerprint),
      createdAt: Math.min(createdAt(fingerprint) ?? generatedAt, generatedAt),
      modifiedAt: generatedAt,
      validUntil: expiresAt,
    }),
  );
  const id = `bundle--${uuid5(NAMESPACE, `${installation} ${serial}`)}`;
  return JSON.stringify({ type: 'bundle', id, objects: [...COMMON, ...indicators] });
}

/** The most entries that a feed can have (`SERVICE_FEED_MAX_ENTRIES`). */
export const THREATS_MAX = 200_000;

/** What another installation has in its feed. */
export interface ImportedThreat {
  readonly fingerprint: string;
  readonly attackType: AttackType;
}

/**
 * Reads the threat that an object of such a bundle describes.
 *
 * @returns null for an object of another kind; undefined for a malformed threat
 */
export function threatIn(object: unknown): ImportedThreat | null | undefined {
  if (!isObject(object) || object.type !== 'indicator' || !isObject(object.extensions)) return null;
  const threat = object.extensions[EXTENSION];
  if (!isObject(threat)) return null;
  const { fingerprint, attack_type } = threat;
  if (typeof fingerprint !== 'string' || !isFingerprint(fingerprint) || typeof attack_type !== 'string')
    return undefined;
  if (object.pattern !== patternOf(fingerprint) && object.pattern !== olderPatternOf(fingerprint))
    return undefined;
  return { fingerprint, attackType: attackTypeOf(attack_type) };
}
