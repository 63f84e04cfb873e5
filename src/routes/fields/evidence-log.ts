import { isRefusal, refuse } from '../../domain/refusal.ts';
import type { EvidenceLog } from '../../storage/evidence.ts';
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

/** @throws Refusal when the license has no log yet */
export async function currentLog(
  { tenantData }: Pick<Parts, 'tenantData'>,
  licenseId: number,
): Promise<EvidenceLog> {
  const log = await tenantData.evidence.current(licenseId);
  if (log === undefined) throw noEvidence();
  return log;
}
