import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, faultOf } from '../lib/fault.ts';
import { makeSigningDirectory, signingDirectory } from './signing-directory.ts';
import { createSigningKey, readSigningKey } from './signing-key.ts';

const pathIn = (dataDir: string): string => join(signingDirectory(dataDir), 'evidence.pem');

/**
 * The key that signs the logs of this installation.
 *
 * @returns undefined when there is none
 * @throws Fault when it cannot be used
 */
export function readEvidenceKey(dataDir: string): KeyObject | undefined {
  const path = pathIn(dataDir);
  if (!existsSync(path)) return undefined;
  try {
    return readSigningKey(path, 'evidence').privateKey;
  } catch (error) {
    throw new Fault(
      `${faultOf(error)}. ${path} signs the evidence: restore it from a backup, or remove it; then the service makes another, and each log says so`,
    );
  }
}

/** Makes that key. */
export function makeEvidenceKey(dataDir: string): KeyObject {
  makeSigningDirectory(dataDir);
  return createSigningKey(pathIn(dataDir), 'evidence', 'redoubt/evidence').privateKey;
}
