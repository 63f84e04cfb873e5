import { DAY_MS } from '../../lib/clock.ts';

// Sites that need no registration: the development hosts of a live license, and all sites of a test license.

const PER_SITE = 5;
const HEARD_OF_WITHIN_MS = 30 * DAY_MS;

/** How many of them a license may report from: five for each site that it may register, as for one where that is none. */
export const unregisteredSitesAllowed = (sitesAllowed: number): number =>
  PER_SITE * Math.max(1, sitesAllowed);

/** A site without a report since this moment no longer counts. */
export const unregisteredSince = (nowMs: number): number => nowMs - HEARD_OF_WITHIN_MS;
