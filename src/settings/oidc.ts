import { ROLES, type Role } from '../domain/admin/operator.ts';
import { readFile } from '../lib/read-file.ts';
import { type Config, ConfigRefused } from './config.ts';
import { certificatesIn, isHostHere } from './database-address.ts';

/** The identity provider that signs operators in. */
export interface OidcSettings {
  /** In the spelling used in its tokens. */
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** Separated by spaces. */
  readonly scopes: string;
  /** The claim with a person's groups; dots lead into objects. */
  readonly roleClaim: string;
  /** The groups of each role; `*` matches everyone. */
  readonly groups: Readonly<Record<Role, readonly string[]>>;
  /** The name of the provider on the sign-in page. */
  readonly name: string;
  /** Whether sign-in with passwords is off. */
  readonly isOnly: boolean;
  /** Trusted CA certificates in PEM; undefined = those of the system. */
  readonly ca: string | undefined;
  /** Scheme, host and port of the console, to which the provider redirects browsers. */
  readonly consoleOrigin: string;
}

type OidcConfig = Pick<Config, 'adminUrl' | Extract<keyof Config, `oidc${string}`>>;

/** The path to which the provider redirects browsers. */
export const OIDC_CALLBACK = '/console/oidc/callback';

/**
 * Reads the settings of the identity provider.
 *
 * @returns undefined if none is configured
 * @throws ConfigRefused
 */
export function oidcSettings(config: Partial<OidcConfig>, read = readFile): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, adminUrl, oidcCa, oidcRoles: roles } = config;
  const { oidcScopes: scopes, oidcRoleClaim: roleClaim, oidcName: name, oidcOnly: isOnly } = config;
  // Invalid settings are reported elsewhere.
  if (!roles || !scopes || !roleClaim || !name || isOnly === undefined) return undefined;
  if (issuer === undefined) {
    const unused = [
      ...(clientId === undefined ? [] : ['SERVICE_OIDC_CLIENT_ID']),
      ...(roles.length === 0 ? [] : ['SERVICE_OIDC_ROLES']),
      ...(isOnly ? ['SERVICE_OIDC_ONLY'] : []),
    ];
    if (unused.length === 0) return undefined;
    throw new ConfigRefused(`${unused[0]} requires SERVICE_OIDC_ISSUER. Set it too, or unset ${unused[0]}`);
  }
  refuseClear(issuer);
  if (clientId === undefined) throw needs('SERVICE_OIDC_CLIENT_ID');
  if (adminUrl === undefined)
    throw needs('SERVICE_ADMIN_URL, the address to which the provider sends browsers back');
  if (roles.length === 0) throw needs('SERVICE_OIDC_ROLES, such as owner=redoubt-owners,support=helpdesk');
  if (!scopes.split(/\s+/).includes('openid'))
    throw new ConfigRefused('SERVICE_OIDC_SCOPES lacks openid. Add it');
  return {
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret,
    consoleOrigin: adminUrl,
    scopes: scopes.trim().split(/\s+/).join(' '),
    roleClaim,
    name,
    isOnly,
    groups: groupsIn(roles),
    ca: oidcCa === undefined ? undefined : certificatesIn('SERVICE_OIDC_CA', oidcCa, read),
  };
}

const needs = (what: string) => new ConfigRefused(`SERVICE_OIDC_ISSUER requires ${what}. Set it too`);

/** Whether connections to an address cross a network without TLS. */
export function isInClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol !== 'https:' && !(protocol === 'http:' && isHostHere(hostname));
}

function refuseClear(issuer: string): void {
  if (!URL.canParse(issuer))
    throw new ConfigRefused(
      'SERVICE_OIDC_ISSUER is malformed. Use the address that the provider calls "issuer"',
    );
  if (isInClear(issuer))
    throw new ConfigRefused('SERVICE_OIDC_ISSUER must start with https://; http:// is for this host only');
}

function groupsIn(pairs: readonly string[]): Record<Role, string[]> {
  const ofRole = (role: Role) =>
    pairs.flatMap((pair) => (pair.startsWith(`${role}=`) ? [pair.slice(role.length + 1)] : []));
  return Object.fromEntries(ROLES.map((role) => [role, ofRole(role)])) as Record<Role, string[]>;
}
