import { isRefusal, refuse } from '../../domain/refusal.ts';
import type { EvidenceLog } from '../../storage/evidence/evidence.ts';
import type { SignedLog } from '../../tasks/evidence.ts';
import type { Parts } from '../parts.ts';

export const noEvidence = () =>
  refuse('EVIDENCE_NOT_FOUND', 'The evidence of this license has no such entry.');

/** @throws Refusal when it cannot be signed now */
export async function signedLog(
  { evidenceDesk }: Pick<Parts, 'evidenceDesk'>,
  licenseId: number,
): Promise<SignedLog> {
  const signed = await evidenceDesk.signed(licenseId);
  if (isRefusal(signed)) throw signed;
  return signed;
}

/** The same with all that the log has now, for its proofs. */
export async function whollySignedLog(
  parts: Pick<Parts, 'evidenceDesk' | 'tenantData'>,
  licenseId: number,
): Promise<SignedLog> {
  const signed = await signedLog(parts, licenseId);
  const { size } = await currentLog(parts, licenseId);
  if (size === signed.size) return signed;
  const newest = await parts.evidenceDesk.covering(licenseId, size - 1);
  if (isRefusal(newest)) throw newest;
  return newest ?? signed;
}

/** @throws Refusal when the license has no log yet */
export async function currentLog(
  { tenantData }: Pick<Parts, 'tenantData'>,
  licenseId: number,
): Promise<EvidenceLog> {
  const log = await tenantData.evidence.current(licenseId);
  if (log === undefined) throw noEvidence();
  return log;
}
