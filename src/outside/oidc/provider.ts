import type { Clock } from '../../lib/clock.ts';
import { loadOnce } from '../../lib/load-once.ts';
import type { OidcSettings } from '../../settings/oidc.ts';
import type { OidcProvider } from './flow.ts';

/** Creates the client of an identity provider; its libraries are loaded on first use. */
export function createOidcProvider(settings: OidcSettings, clock: Clock): OidcProvider {
  const client = loadOnce(async () => (await import('./client.ts')).createClient(settings, clock));
  return {
    begin: async (session) => (await client()).begin(session),
    finish: async (answer, flow) => (await client()).finish(answer, flow),
    signOutAddress: async (idToken, path) => (await client()).signOutAddress(idToken, path),
  };
}
