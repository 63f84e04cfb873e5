import { CLOCK_SKEW_MS } from '../../outside/oidc/flow.ts';
import { OidcFault } from '../../outside/oidc/oidc-fault.ts';
import type { OidcSettings } from '../../settings/oidc.ts';
import { type Finding, failure, warning } from './finding.ts';

const KEEPS_OUT = 'correct SERVICE_OIDC_ISSUER and SERVICE_OIDC_CA, or the network; passwords still work';
const KEEPS_ALL_OUT =
  'correct SERVICE_OIDC_ISSUER and SERVICE_OIDC_CA, or the network; meanwhile sign in by "redoubt operator link" of an owner';

/** Asks the identity provider about itself and for its keys, as a sign-in would. */
export async function examineOidc(settings: OidcSettings): Promise<Finding[]> {
  const { issuer, isOnly } = settings;
  const of = `the identity provider ${issuer}`;
  const todo = isOnly ? KEEPS_ALL_OUT : KEEPS_OUT;
  try {
    const { countKeys, discover } = await import('../../outside/oidc/metadata.ts');
    const { metadata, date } = await discover(settings);
    const keys = await countKeys(settings, metadata);
    return [
      ...(keys === 0 ? [failure('oidc-keys', `${of} has no key that signs`, 'add a signing key there')] : []),
      ...judgeClock(of, date),
      ...judgeSupport(of, settings, metadata),
    ];
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error;
    const id = error.problem === 'unreachable' ? 'oidc-unreachable' : 'oidc-metadata';
    return [failure(id, `${of} cannot be used: ${error.message}`, todo)];
  }
}

function judgeClock(of: string, date: number | undefined): Finding[] {
  const apartMs = date === undefined ? 0 : Math.abs(date - Date.now());
  if (apartMs <= CLOCK_SKEW_MS) return [];
  const what = `the clocks of ${of} and of this host differ by ${Math.round(apartMs / 1000)} seconds, so sign-ins fail`;
  return [failure('oidc-clock', what, 'synchronize both clocks; 60 seconds are allowed')];
}

interface Supported {
  readonly scopes_supported?: unknown;
  readonly response_types_supported?: unknown;
  readonly code_challenge_methods_supported?: unknown;
}

/** What a provider lists, it supports; of what it does not list, nothing is known. */
function judgeSupport(of: string, { scopes }: OidcSettings, supported: Supported): Finding[] {
  const lacking = (listed: unknown, wanted: readonly string[]) =>
    Array.isArray(listed) ? wanted.filter((each) => !listed.includes(each)) : [];
  const unknownScopes = lacking(supported.scopes_supported, scopes.split(' '));
  const isWithout = [
    ...lacking(supported.response_types_supported, ['code']),
    ...lacking(supported.code_challenge_methods_supported, ['S256']),
  ];
  return [
    ...(unknownScopes.length === 0
      ? []
      : [
          warning(
            'oidc-scopes',
            `${of} does not list the scopes ${unknownScopes.join(', ')}`,
            'correct SERVICE_OIDC_SCOPES, or allow them there',
          ),
        ]),
    ...(isWithout.length === 0
      ? []
      : [
          failure(
            'oidc-metadata',
            `${of} does not support the code flow with PKCE (${isWithout.join(', ')})`,
            'allow it there: authorization code with S256',
          ),
        ]),
  ];
}
