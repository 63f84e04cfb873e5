import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import type { ActDefinition, PlannedFacts } from '../act.ts';
import { bind, block, unbind, unblock, verifyDomain } from './domains.ts';
import { forget, revoke } from './ends.ts';
import { resume, suspend } from './holds.ts';
import { rotate } from './keys.ts';
import { change, extend, extendBy } from './terms.ts';

/** An act on one license; some show a key once. */
export type LicenseAct = ActDefinition<
  LicenseRecord,
  Readonly<Record<string, unknown>>,
  PlannedFacts & { readonly key?: string; readonly oldWorksUntil?: number | null }
>;

/** Every act on one license, in the order of the contract. */
export const LICENSE_ACTS: readonly LicenseAct[] = [
  rotate,
  change,
  suspend,
  resume,
  revoke,
  extend,
  extendBy,
  bind,
  unbind,
  block,
  unblock,
  verifyDomain,
  forget,
];
