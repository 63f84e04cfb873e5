import * as oauth from 'oauth4webapi';
import { isInClear, type OidcSettings } from '../../settings/oidc.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { wordedFault } from './library-faults.ts';
import { OidcFault } from './oidc-fault.ts';

/** The metadata of a provider. */
export type Metadata = oauth.AuthorizationServer;

export interface Discovered {
  readonly metadata: Metadata;
  /** The clock of the provider; undefined where it does not tell it. Milliseconds since the Unix epoch. */
  readonly date: number | undefined;
}

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const OPTIONAL = ['userinfo_endpoint', 'end_session_endpoint'] as const;

/** Options of every request to the provider. Plain HTTP was checked before: only a provider on this host has it. */
export const requestOptions = ({ ca }: Pick<OidcSettings, 'ca'>) => ({
  [oauth.customFetch]: boundedFetch(ca),
  [oauth.allowInsecureRequests]: true,
});

/**
 * Asks the provider about itself.
 *
 * @throws OidcFault
 */
export async function discover(settings: Pick<OidcSettings, 'issuer' | 'ca'>): Promise<Discovered> {
  const issuer = new URL(settings.issuer);
  try {
    const response = await oauth.discoveryRequest(issuer, requestOptions(settings));
    const date = Date.parse(response.headers.get('date') ?? '');
    const metadata = await oauth.processDiscoveryResponse(issuer, response);
    for (const name of NEEDED) checkEndpoint(name, metadata[name], issuer);
    for (const name of OPTIONAL)
      if (metadata[name] !== undefined) checkEndpoint(name, metadata[name], issuer);
    return { metadata, date: Number.isNaN(date) ? undefined : date };
  } catch (error) {
    throw wordedFault(error, 'discovery');
  }
}

/** Only a provider on this host may have addresses without TLS, on this host as well. */
function checkEndpoint(name: string, address: unknown, issuer: URL): void {
  if (typeof address !== 'string' || !URL.canParse(address))
    throw new OidcFault('provider', `discovery has no valid ${name}`);
  const isAllowed = address.startsWith('https:') || (issuer.protocol === 'http:' && !isInClear(address));
  if (!isAllowed) throw new OidcFault('provider', `the ${name} of the provider does not use https`);
}

/**
 * Reads the provider's keys that can check a signature.
 *
 * @throws OidcFault
 */
export async function countKeys(settings: Pick<OidcSettings, 'ca'>, metadata: Metadata): Promise<number> {
  try {
    const request = { method: 'GET', headers: { accept: 'application/json' } };
    const response = await boundedFetch(settings.ca)(String(metadata.jwks_uri), request);
    if (response.status !== 200) throw new OidcFault('provider', `keys: status ${response.status}`);
    const { keys } = (await response.json()) as { keys?: unknown };
    const isSigning = (key: unknown) =>
      typeof key === 'object' && key !== null && 'kty' in key && key.kty !== 'oct' && !isForEncryption(key);
    return Array.isArray(keys) ? keys.filter(isSigning).length : 0;
  } catch (error) {
    throw wordedFault(error, 'keys');
  }
}

const isForEncryption = (key: object): boolean => 'use' in key && key.use === 'enc';
