import { BUNDLE_LIFE_MS } from '../../domain/signing/purposes.ts';
import { DAY_MS, iso } from '../../lib/clock.ts';
import type { FeedTrust } from '../../storage/threats/feed-trusts.ts';
import { type Act, audited, type PlannedAct, type RefusedAct } from '../act.ts';
import type { OpenedBundle } from './open-bundle.ts';

/**
 * Plans to replace an installation's threats by those of its bundle.
 *
 * @param trusts as they are now
 */
export function importFeed(
  { bundle, trust, threats }: OpenedBundle,
  trusts: readonly FeedTrust[],
  act: Act,
): PlannedAct | RefusedAct {
  const { serial, expiresAt } = bundle;
  const now = trusts.find(({ id }) => id === trust.id);
  if (now === undefined) return { refused: `${trust.name} is no longer trusted` };
  if (now.serial !== null && serial <= now.serial)
    return {
      refused: `its serial is ${serial}, but ${now.serial} was already imported. Get a newer one`,
    };
  if (expiresAt > act.now + BUNDLE_LIFE_MS + DAY_MS)
    return {
      refused: `it is valid until ${iso(expiresAt)}, longer than a feed can be. The clock of this host or of its origin is wrong`,
    };
  const input = { trustId: now.id, serial, expiresAt, threats, now: act.now };
  const planned = audited(act, 'feed.import', now.name, [{ name: 'importFeed', input }], {
    before: { serial: now.serial },
    after: { serial, threats: threats.length, expires_at: iso(expiresAt) },
  });
  if (expiresAt > act.now) return planned;
  return { ...planned, notices: [`it expired at ${iso(expiresAt)} and does not count. Get a newer one`] };
}
