import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import type { Acts } from '../act.ts';
import { bind, block, unbind, unblock, verifyDomain } from './domains.ts';
import { forget, revoke } from './ends.ts';
import { resume, suspend } from './holds.ts';
import { change } from './terms.ts';

/** Every act on one license that the admin API has, in the order of the contract, but for that which shows a key. */
export const LICENSE_ACTS: Acts<LicenseRecord> = [
  change,
  suspend,
  resume,
  revoke,
  bind,
  unbind,
  block,
  unblock,
  verifyDomain,
  forget,
];
