import * as oauth from 'oauth4webapi';
import { isInClear, type OidcSettings } from '../../settings/oidc.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { wordedFault } from './library-faults.ts';
import { OidcFault } from './oidc-fault.ts';

export type Metadata = oauth.AuthorizationServer;

export interface Discovered {
  readonly metadata: Metadata;
  /** The provider's clock in milliseconds since the Unix epoch; undefined if it sends no Date header. */
  readonly date: number | undefined;
}

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const OPTIONAL = ['userinfo_endpoint', 'end_session_endpoint'] as const;

/** Options of every request to the provider. The settings allow plain HTTP only for a provider on this host. */
export const requestOptions = ({ ca }: Pick<OidcSettings, 'ca'>) => ({
  [oauth.customFetch]: boundedFetch(ca),
  [oauth.allowInsecureRequests]: true,
});

/**
 * Reads the provider's metadata and checks its endpoints.
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

/** Allows plain HTTP only if both the issuer and the endpoint are on this host. */
function checkEndpoint(name: string, address: unknown, issuer: URL): void {
  if (typeof address !== 'string' || !URL.canParse(address))
    throw new OidcFault('provider', `discovery has no valid ${name}`);
  const isAllowed = address.startsWith('https:') || (issuer.protocol === 'http:' && !isInClear(address));
  if (!isAllowed) throw new OidcFault('provider', `the ${name} of the provider does not use https`);
}

/**
 * Counts the provider's keys that can verify signatures.
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
