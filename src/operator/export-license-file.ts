import { randomBytes } from 'node:crypto';
import type { Catalog } from '../domain/license/catalog.ts';
import { licenseStanding } from '../domain/license/license.ts';
import { LICENSE_FILE_BYTES_MAX, signLicenseFile } from '../domain/license/license-file.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { Ed25519Key } from '../domain/signing/ed25519-key.ts';
import { DAY_MS, iso } from '../lib/clock.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { type Act, audited, type PlannedAct, type RefusedAct } from './act.ts';

export interface ExportedFile extends PlannedAct {
  readonly text: string;
  readonly expiry: string;
  readonly serial: string;
}

const SERIAL_BYTES = 8;

/**
 * Signs a file with the rights of a license, for sites that cannot send requests.
 *
 * @param days how long it holds, at most as long as the license itself
 */
export function exportLicenseFile(
  license: LicenseRecord,
  { catalog, key, days }: { readonly catalog: Catalog; readonly key: Ed25519Key; readonly days: number },
  act: Act,
): ExportedFile | RefusedAct {
  const name = licenseName(license.id);
  const { valid, state, plan, modules, expiresAt } = licenseStanding(license, catalog, act.now);
  if (!valid) return { refused: `${name} is ${state}. A license file requires an active or trial license` };
  const expiry = iso(Math.min(act.now + days * DAY_MS, expiresAt ?? Number.POSITIVE_INFINITY));
  const serial = randomBytes(SERIAL_BYTES).toString('hex');
  const { domains } = license;
  const facts = { license: name, plan, modules, domains, issued: iso(act.now), expiry, serial };
  const text = signLicenseFile(facts, key);
  if (text.length > LICENSE_FILE_BYTES_MAX)
    return { refused: `${name} has too many domains for a license file. Unbind those that are not in use` };
  const after = { serial, kid: key.kid, expiry };
  return { ...audited(act, 'license.export', name, [], { after }), text, expiry, serial };
}
