import type { KeyObject } from 'node:crypto';
import { systemAfter } from '../lib/clock.ts';
import type { Config } from '../settings/config.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { openEvidenceHeads } from '../storage/evidence/evidence-heads.ts';
import { makeEvidenceKey, readEvidenceKey } from '../storage/evidence/evidence-key.ts';
import { createEvidenceDesk, type EvidenceDesk, type EvidenceDeskParts } from '../tasks/evidence.ts';

interface EvidenceParts extends Omit<EvidenceDeskParts, 'after' | 'privateKey' | 'heads'> {
  readonly config: Config;
}

/**
 * Opens the logs of evidence with the key that signs them, which is created for a new installation.
 *
 * @throws Fault when the key cannot be used
 */
export async function openEvidence({ config, ...parts }: EvidenceParts): Promise<{
  readonly evidenceDesk: EvidenceDesk;
  readonly evidenceKey: KeyObject;
}> {
  const keys = keysDirectory(config);
  const heads = openEvidenceHeads(config.dataDir, { isOwner: true });
  const newKey = () => {
    if (heads.all().length > 0)
      parts.log.warn(
        'signing/evidence.pem is missing: evidence is signed with a new key, which each log records',
      );
    return makeEvidenceKey(keys);
  };
  const evidenceKey = readEvidenceKey(keys) ?? newKey();
  const evidenceDesk = createEvidenceDesk({ ...parts, after: systemAfter, privateKey: evidenceKey, heads });
  await evidenceDesk.compare();
  return { evidenceDesk, evidenceKey };
}
