import { notRefused, refuse } from '../../domain/refusal.ts';
import type { EvidenceLog } from '../../storage/evidence/evidence.ts';
import type { TenantReads } from '../../storage/tenant-data.ts';
import type { EvidenceDesk, SignedLog } from '../../tasks/evidence.ts';

interface LogReads {
  readonly tenantData: Pick<TenantReads, 'evidence'>;
}
interface LogSigner {
  readonly evidenceDesk: Pick<EvidenceDesk, 'signed' | 'covering'>;
}

export const noEvidence = () =>
  refuse('EVIDENCE_NOT_FOUND', 'The evidence of this license has no such entry.');

/** @throws Refusal if it cannot be signed at the moment */
export async function signedLog({ evidenceDesk }: LogSigner, licenseId: number): Promise<SignedLog> {
  return notRefused(await evidenceDesk.signed(licenseId));
}

/** Like `signedLog`, including the newest entries, so that all of them can be proved. */
export async function whollySignedLog(parts: LogSigner & LogReads, licenseId: number): Promise<SignedLog> {
  const signed = await signedLog(parts, licenseId);
  const { size } = await currentLog(parts, licenseId);
  if (size === signed.size) return signed;
  const newest = notRefused(await parts.evidenceDesk.covering(licenseId, size - 1));
  return newest ?? signed;
}

/** @throws Refusal if the license has no log yet */
export async function currentLog({ tenantData }: LogReads, licenseId: number): Promise<EvidenceLog> {
  const log = await tenantData.evidence.current(licenseId);
  if (log === undefined) throw noEvidence();
  return log;
}
