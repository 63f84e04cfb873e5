import { hashLicenseKey, newLicenseKey, storedKey } from '../domain/license/license-key.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { LicenseRow, LicenseRows } from '../domain/license/license-rows.ts';
import { type LineRefusal, REFUSALS_MAX } from '../domain/license/license-table.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Database } from '../storage/engine/database.ts';
import {
  type NewLicense,
  nextLicenseId,
  readExternalIds,
  readKnownKeys,
} from '../storage/licenses/licenses.ts';
import { type Act, audited, type RefusedAct } from './act.ts';
import { licenseOf } from './issue-license.ts';
import { type MadeKey, type PlannedBatch, rangeOf } from './issue-licenses.ts';
import { sharedDomains } from './license-domains.ts';
import { refusalOfEnd } from './terms.ts';

const NOTICES_MAX = 5;
const ROWS_PER_TURN = 500;

export interface RefusedImport extends RefusedAct {
  /** In the order of their lines. */
  readonly refusals: readonly LineRefusal[];
}

/** Issues all licenses that rows want, some with keys that another system has made, or none of them. */
export async function importLicenses(
  db: Database,
  { rows, refusals: unread }: LicenseRows,
  offer: Offer,
  act: Act,
): Promise<PlannedBatch | RefusedImport> {
  const found = await refusalsOf(db, rows, offer, act.now);
  const refusals = [...unread, ...found].sort((a, b) => a.line - b.line);
  if (refusals.length > 0) {
    const lines = new Set(refusals.map(({ line }) => line)).size;
    const many = unread.length >= REFUSALS_MAX ? `at least ${lines}` : String(lines);
    return { refused: `${many} ${lines === 1 ? 'line is' : 'lines are'} refused`, refusals };
  }
  if (rows.length === 0) return { refused: 'the file has no licenses', refusals };

  const firstId = await nextLicenseId(db);
  const keys: MadeKey[] = [];
  const licenses = rows.map((row, at): NewLicense => {
    const id = firstId + at;
    const license = licenseOf({ ...row, ...AS_ITS_PLAN }, act);
    if (row.key !== null) return { ...license, ...storedKey(row.key), id };
    const { key, stored } = newLicenseKey(license.environment);
    keys.push({ licenseId: id, key, line: row.line });
    return { ...license, ...stored, id };
  });
  const range = rangeOf(firstId, rows.length);
  // An imported key that is still kept as an old one, though it has ended, could not become an old one again.
  const forget = { name: 'forgetPreviousKeys', input: { now: act.now } } as const;
  const jobs = [forget, ...licenses.map((input) => ({ name: 'issueLicense', input }) as const)];
  const after = { licenses: rows.length, keysMade: keys.length };
  const notices = await noticesOf(db, rows);
  return { ...audited(act, 'license.import', range, jobs, { after }), keys, range, notices };
}

const AS_ITS_PLAN = { isTrial: false, isTest: false, allowModules: [], denyModules: [] };

/** Tells of domains that several licenses will have. */
async function noticesOf(db: Database, rows: readonly LicenseRow[]): Promise<string[]> {
  const lines = new Map<string, number>();
  const repeated: string[] = [];
  for (const { line, domains } of rows) {
    for (const domain of domains) {
      const first = lines.get(domain);
      if (first === undefined) lines.set(domain, line);
      else repeated.push(`warning: ${domain} is in both line ${line} and line ${first}`);
    }
  }
  const shared = [...repeated, ...(await sharedDomains(db, [...lines.keys()]))];
  const more = shared.length - NOTICES_MAX;
  return more <= 0 ? shared : [...shared.slice(0, NOTICES_MAX), `warning: ${more} more domains are repeated`];
}

/** What the database and the offer have against rows. */
async function refusalsOf(
  db: Database,
  rows: readonly LicenseRow[],
  { catalog }: Offer,
  now: number,
): Promise<LineRefusal[]> {
  const isKnown = readKnownKeys(db, now);
  const idsBy = await readExternalIds(db);
  const refusals: LineRefusal[] = [];
  for (const [at, { line, key, plan, domains, expires, externalId }] of rows.entries()) {
    if (at % ROWS_PER_TURN === 0) await ownTurn();
    const refuse = (refused: string) => refusals.push({ line, refused });
    if (key !== null && (await isKnown(hashLicenseKey(key)))) refuse('key: another license has it');
    const namesake = externalId === null ? undefined : idsBy.get(externalId);
    if (namesake !== undefined) refuse(`external_id: ${licenseName(namesake)} has it`);
    const past = refusalOfEnd(expires, now);
    if (past) refuse(`expires: ${past.refused}`);
    const { sitesAllowed } = catalog[plan];
    if (domains.length > sitesAllowed)
      refuse(`domains: ${domains.length} exceed the limit of the plan ${plan}, ${sitesAllowed}`);
  }
  return refusals;
}
