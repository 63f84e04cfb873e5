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
const THREATS_MAX = 200_000;

/** What another installation has in its feed. */
export interface ImportedThreat {
  readonly fingerprint: string;
  readonly attackType: AttackType;
}

/**
 * Reads the threats of such a bundle, each once; other objects are passed over.
 *
 * @returns undefined for what is no such bundle, or has more than a feed can have
 */
export function threatsIn(text: string): ImportedThreat[] | undefined {
  const objects = objectsIn(text);
  if (objects === undefined) return undefined;
  const threats = new Map<string, ImportedThreat>();
  for (const object of objects) {
    const told = isObject(object) && object.type === 'indicator' && object.extensions;
    const threat = isObject(told) && told[EXTENSION];
    if (!isObject(threat)) continue;
    const { fingerprint, attack_type } = threat;
    if (typeof fingerprint !== 'string' || !isFingerprint(fingerprint) || typeof attack_type !== 'string')
      return undefined;
    threats.set(fingerprint, { fingerprint, attackType: attackTypeOf(attack_type) });
    if (threats.size > THREATS_MAX) return undefined;
  }
  return [...threats.values()];
}

function objectsIn(text: string): readonly unknown[] | undefined {
  try {
    const bundle: unknown = JSON.parse(text);
    return isObject(bundle) && bundle.type === 'bundle' && Array.isArray(bundle.objects)
      ? bundle.objects
      : undefined;
  } catch {
    return undefined;
  }
}
