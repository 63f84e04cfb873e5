import { createHash } from 'node:crypto';
import { iso, SECOND_MS, utcDay } from '../../lib/clock.ts';
import { uuid5 } from '../../lib/uuid5.ts';
import { isObject } from '../credential/jws.ts';
import { severityOfAttack } from './attack-type.ts';
import type { FeedObject } from './feed-object.ts';
import { NAMESPACE } from './stix.ts';

// The feed in the format of MISP: an event for each day, with an attribute for each threat that was in the feed first on that day.

/** The organisation that created the events: ours, as in STIX. */
const ORGC = { name: 'Redoubt', uuid: uuid5(NAMESPACE, 'redoubt') };
/** How grave events are on the whole (2 = medium), and how far they were analysed (2 = completed). */
const THREAT_LEVEL = '2';
const ANALYSIS = '2';

/** The names of the files that MISP asks for first. */
export const MISP_MANIFEST = 'manifest.json';
export const MISP_HASHES = 'hashes.csv';

const uuidOf = (installation: string, name: string) => uuid5(NAMESPACE, `misp ${installation} ${name}`);
const eventUuid = (installation: string, day: unknown) => uuidOf(installation, `event ${day}`);

/**
 * Whether a manifest or an event is one of this installation, by the UUIDs, which depend on the installation and the day.
 *
 * @param text its content
 */
export function isOwnMispFile(name: string, text: string, installation: string): boolean {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return false;
  }
  if (!isObject(content)) return false;
  const event = content.Event;
  const events = name === MISP_MANIFEST ? Object.entries(content) : [[name.replace(/\.json$/, ''), event]];
  return events.every(([uuid, facts]) => isObject(facts) && uuid === eventUuid(installation, facts.date));
}

/**
 * The files of a feed, by their names; the same for the same threats.
 *
 * @param installation tells the events of this installation from those of others
 */
export function mispFiles(objects: readonly FeedObject[], installation: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const manifest: Record<string, object> = {};
  const hashes: string[] = [];
  const days = Map.groupBy(objects, ({ createdAt }) => utcDay(createdAt));
  for (const [day, threats] of [...days].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const uuid = eventUuid(installation, day);
    const listed = threats.toSorted((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
    const timestamp = secondsOf(listed.reduce((last, { modifiedAt }) => Math.max(last, modifiedAt), 0));
    const facts = {
      info: `Threats first reported on ${day}`,
      date: day,
      analysis: ANALYSIS,
      threat_level_id: THREAT_LEVEL,
      timestamp,
      Orgc: ORGC,
    };
    manifest[uuid] = { ...facts, Tag: [] };
    const attributes = listed.map((threat) => attribute(threat, uuidOf(installation, threat.fingerprint)));
    const event = { uuid, ...facts, published: true, publish_timestamp: timestamp, Attribute: attributes };
    files.set(`${uuid}.json`, JSON.stringify({ Event: event }));
    for (const { fingerprint, isWithdrawn } of listed)
      if (!isWithdrawn) hashes.push(`${createHash('md5').update(fingerprint).digest('hex')},${uuid}\n`);
  }
  // Last, so that a reader finds what they name.
  files.set(MISP_HASHES, hashes.join(''));
  return files.set(MISP_MANIFEST, JSON.stringify(manifest));
}

/** A withdrawn threat is a deleted attribute: MISP keeps what an event no longer has. */
const attribute = (threat: FeedObject, uuid: string): object => ({
  uuid,
  type: 'other',
  category: 'Network activity',
  value: threat.fingerprint,
  comment: `${threat.attackType}, ${severityOfAttack(threat.attackType)}, reported by ${customersInWords(threat)}`,
  to_ids: !threat.isWithdrawn,
  deleted: threat.isWithdrawn,
  disable_correlation: false,
  timestamp: secondsOf(threat.modifiedAt),
  first_seen: iso(threat.createdAt),
});

const customersInWords = ({ corroborationCount }: FeedObject): string =>
  corroborationCount === 1 ? '1 customer' : `${corroborationCount} customers`;

/** Rounded up, so that a version is never older than its moment. */
const secondsOf = (atMs: number): string => String(Math.ceil(atMs / SECOND_MS));
