import { DAY_MS } from '../../lib/clock.ts';

// Sites that need no registration: the development hosts of a live license, and whatever a test license reports from.

const PER_SITE = 5;
const HEARD_OF_WITHIN_MS = 30 * DAY_MS;

/** How many of them a license may report from: five for each site that it may register, as for one where that is none. */
export const unregisteredSitesAllowed = (sitesAllowed: number): number =>
  PER_SITE * Math.max(1, sitesAllowed);

/** One that was last heard of before this moment has made room for another. */
export const unregisteredSince = (nowMs: number): number => nowMs - HEARD_OF_WITHIN_MS;
