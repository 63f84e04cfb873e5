import { KEY_PLACEHOLDER } from '../../src/routes/telemetry.ts';
import { type Contract, contract } from './conformance.ts';

/**
 * The contract with values that only a caller knows, so that no schema can express them: its key, and the
 * identity derived from it.
 */
export function knownTo(key: string, identity: string): Contract {
  const known = JSON.parse(JSON.stringify(contract).replaceAll(KEY_PLACEHOLDER, key)) as Contract & {
    readonly components: {
      readonly schemas: Record<string, { readonly properties: Record<string, object> }>;
    };
  };
  const { Heartbeat, SaasSignal } = known.components.schemas;
  Object.assign(Heartbeat?.properties ?? {}, { license_key: { type: 'string', enum: [key] } });
  Object.assign(SaasSignal?.properties ?? {}, { licenseIdHash: { type: 'string', enum: [identity] } });
  return known;
}
