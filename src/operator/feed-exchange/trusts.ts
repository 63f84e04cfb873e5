import { ACTOR_NAME, ACTOR_NAME_RULE } from '../../domain/admin/actor-name.ts';
import type { FeedTrust } from '../../storage/threats/feed-trusts.ts';
import { type Act, audited, type PlannedAct, type RefusedAct } from '../act.ts';
import { minisignKeyOf } from './open-bundle.ts';

/** Each is looked up by every count of the feed. */
const TRUSTS_MAX = 100;
/** As how many customers an installation may count at most. */
export const WEIGHT_MAX = 100;

/**
 * Plans to let an installation's feed count here, once it is imported.
 *
 * @param all the trusted installations
 * @param own the keys of this installation's own feed
 */
export function addTrust(
  all: readonly FeedTrust[],
  own: readonly string[],
  { name, key, weight }: Pick<FeedTrust, 'name' | 'key' | 'weight'>,
  act: Act,
): PlannedAct | RefusedAct {
  const refused = own.some((each) => isSameKey(each, key))
    ? 'this is the key of this installation, whose customers already count'
    : whyNot(all, { name, key, weight });
  if (refused !== undefined) return { refused };
  const input = { name, key, weight, now: act.now };
  return audited(act, 'feed.trust', name, [{ name: 'addFeedTrust', input }], { after: { key, weight } });
}

function whyNot(
  all: readonly FeedTrust[],
  { name, key, weight }: Pick<FeedTrust, 'name' | 'key' | 'weight'>,
): string | undefined {
  if (!ACTOR_NAME.test(name)) return `a name ${ACTOR_NAME_RULE}`;
  if (minisignKeyOf(key) === undefined)
    return 'not a public key. Print it on the other installation with "redoubt keys export feed"';
  if (!Number.isInteger(weight) || weight < 1 || weight > WEIGHT_MAX)
    return `the weight must be a whole number from 1 to ${WEIGHT_MAX}`;
  const same = all.find((each) => each.name === name || isSameKey(each.key, key));
  if (same)
    return `${same.name} is already trusted with ${isSameKey(same.key, key) ? 'this key' : 'another key'}. Remove it first`;
  return all.length >= TRUSTS_MAX ? `the limit of ${TRUSTS_MAX} trusted installations is reached` : undefined;
}

/** Compares both the ids, which prove nothing, and the keys: otherwise, one key could block another. */
function isSameKey(one: string, other: string): boolean {
  const [a, b] = [one, other].map(minisignKeyOf);
  if (a === undefined || b === undefined) return one === other;
  return Buffer.from(a.id).equals(b.id) || a.publicKey.equals(b.publicKey);
}

/** Plans to remove a trusted installation and all its threats. */
export function removeTrust(all: readonly FeedTrust[], name: string, act: Act): PlannedAct | RefusedAct {
  const found = all.find((each) => each.name === name);
  if (found === undefined)
    return { refused: `no trusted installation has this name. List them with redoubt feed trust list` };
  const { id, key, weight, serial } = found;
  return audited(act, 'feed.distrust', name, [{ name: 'removeFeedTrust', input: { id } }], {
    before: { key, weight, serial },
  });
}
