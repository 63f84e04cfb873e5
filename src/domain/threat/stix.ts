import { iso } from '../../lib/clock.ts';
import { uuid5 } from '../../lib/uuid5.ts';
import { isObject } from '../credential/jws.ts';
import { type AttackType, attackTypeOf } from './attack-type.ts';
import type { FeedEntry } from './feed.ts';
import type { FeedBundle } from './feed-bundle.ts';
import { isFingerprint } from './fingerprint.ts';

// A feed as a bundle of STIX 2.1 (OASIS Standard, 10 June 2021), which other tools read as well. Whatever it says comes from the feed's own
// closed fields, so there is nothing in it to escape, and nothing of a customer.

/** Names in STIX are UUIDs; those of ours are derived from this one. */
const NAMESPACE = '7ae5e2b6-0f0e-5d0c-9a3c-3f1d6a0c5f41';
/** Since when what is the same in every bundle is so. */
const SINCE = '2026-11-27T00:00:00.000Z';

const AUTHOR = `identity--${uuid5(NAMESPACE, 'redoubt')}`;
const EXTENSION = `extension-definition--${uuid5(NAMESPACE, 'redoubt-threat')}`;

const COMMON = [
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
    modified: SINCE,
    name: 'redoubt-threat',
    description:
      'A threat of a feed: its fingerprint, what it is called, how grave it is, and how many vouch for it',
    schema: 'docs/feed.md, "The form of a bundle"',
    version: '1.0.0',
    extension_types: ['property-extension'],
  },
] as const;

/**
 * The text of a bundle: the same for the same entries.
 *
 * @param generatedAt when the feed began to say so, in milliseconds since the Unix epoch
 */
export function stixText(
  entries: readonly FeedEntry[],
  { installation, serial, expiresAt }: FeedBundle,
  generatedAt: number,
): string {
  const named = (type: string, name: string) => `${type}--${uuid5(NAMESPACE, `${installation} ${name}`)}`;
  const source = named('identity', 'installation');
  const at = iso(generatedAt);
  const identity = {
    ...{ type: 'identity', spec_version: '2.1', id: source, created: SINCE, modified: SINCE },
    ...{ name: `Redoubt ${installation}`, identity_class: 'system' },
  };
  const indicators = entries.map(({ fingerprint, attack_type, severity, corroboration_count }) => ({
    ...{ type: 'indicator', spec_version: '2.1', id: named('indicator', `${serial} ${fingerprint}`) },
    ...{ created_by_ref: source, created: at, modified: at, indicator_types: ['malicious-activity'] },
    ...{ pattern: `[x-redoubt-threat:fingerprint = '${fingerprint}']`, pattern_type: 'stix' },
    ...{ valid_from: at, valid_until: iso(expiresAt), labels: [attack_type] },
    extensions: {
      [EXTENSION]: {
        ...{ extension_type: 'property-extension', fingerprint, attack_type, severity, corroboration_count },
      },
    },
  }));
  const objects = [...COMMON, identity, ...indicators];
  return JSON.stringify({ type: 'bundle', id: named('bundle', String(serial)), objects });
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
  const extensions = isObject(object) && object.type === 'indicator' && object.extensions;
  const threat = isObject(extensions) && extensions[EXTENSION];
  if (!isObject(threat)) return null;
  const { fingerprint, attack_type } = threat;
  if (typeof fingerprint !== 'string' || !isFingerprint(fingerprint) || typeof attack_type !== 'string')
    return undefined;
  return { fingerprint, attackType: attackTypeOf(attack_type) };
}
