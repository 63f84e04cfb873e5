import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, faultOf } from '../../lib/fault.ts';
import { makeSigningDirectory, signingDirectory } from '../signing/signing-directory.ts';
import { createSigningKey, readSigningKey } from '../signing/signing-key.ts';

export const evidenceKeyPath = (directory: string): string =>
  join(signingDirectory(directory), 'evidence.pem');

/**
 * The key that signs the logs of this installation.
 *
 * @returns undefined when there is none
 * @throws Fault when it cannot be used
 */
export function readEvidenceKey(directory: string): KeyObject | undefined {
  const path = evidenceKeyPath(directory);
  if (!existsSync(path)) return undefined;
  try {
    return readSigningKey(path, 'evidence').privateKey;
  } catch (error) {
    throw new Fault(
      `${faultOf(error)}. ${path} signs the evidence. Restore it from a backup, or remove it: the service then creates another, which each log records`,
    );
  }
}

export function makeEvidenceKey(directory: string): KeyObject {
  makeSigningDirectory(directory);
  return createSigningKey(evidenceKeyPath(directory), 'evidence', 'redoubt/evidence').privateKey;
}
