import type { ObservedThreat } from './fingerprint.ts';

/** What was made to look worth taking. */
export const DECOY_KINDS = [
  'login_credential',
  'api_key',
  'access_token',
  'ssh_key',
  'database_record',
  'document',
  'vault_entry',
  'service_endpoint',
  'account',
  'other',
] as const;
export type DecoyKind = (typeof DECOY_KINDS)[number];

/** By which way the decoy was touched. */
export const ACCESS_VECTORS = ['web', 'api', 'login', 'filesystem', 'database', 'network', 'other'] as const;
export type AccessVector = (typeof ACCESS_VECTORS)[number];

/** There is no legitimate reason to touch a decoy; the rest are mistakes of its owner. */
export const DECOY_CONFIDENCE = 0.99;

export interface DecoyTouch {
  readonly decoyKind: DecoyKind;
  readonly accessVector: AccessVector;
  readonly behaviorClass: string;
  readonly payloadHash?: string;
}

/**
 * A tripped decoy as a threat that several customers can share: the attack is `decoy_<decoyKind>`, and the
 * way in stands for the payload when none was seen.
 */
export const threatOfDecoy = ({
  decoyKind,
  accessVector,
  behaviorClass,
  payloadHash = accessVector,
}: DecoyTouch): ObservedThreat & { readonly attackType: `decoy_${DecoyKind}` } => ({
  attackType: `decoy_${decoyKind}`,
  behaviorClass,
  payloadHash,
});
