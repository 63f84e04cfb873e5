import type { Plan } from '../domain/license/catalog.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.api.examples;
/** A name that no shell makes anything of. */
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const STAND_IN = 'example.com';

/** One request, as a shell sends it. */
export interface Example {
  readonly title: string;
  /** The least plan that may send it. */
  readonly plan: Plan;
  readonly command: string;
}

/** The first site name that is safe in a command, otherwise a reserved one. */
export const exampleDomain = (names: readonly string[]): string =>
  names.find((name) => DOMAIN.test(name)) ?? STAND_IN;

/**
 * Requests of a tenant, with its key as a variable.
 *
 * @param service its public address, which holds nothing that a shell would see more in
 * @param domain as {@link exampleDomain} gives it
 */
export function examplesOf(service: string, domain: string): Example[] {
  const site = `https://${domain}`;
  const get = (path: string) =>
    `curl -sS '${service}/api/v1${path}' \\\n  -H "Authorization: Bearer $REDOUBT_KEY"`;
  // A here-document, because the shell puts the key into it.
  const post = (path: string, body: string) =>
    `${get(path)} \\\n  -H 'Content-Type: application/json' \\\n  --data-binary @- <<END\n${body}\nEND`;
  return [
    { title: WORDS.me, plan: 'free', command: get('/me') },
    {
      title: WORDS.heartbeat,
      plan: 'free',
      command: post('/telemetry', `{"site_url": "${site}", "license_key": "$REDOUBT_KEY"}`),
    },
    { title: WORDS.sites, plan: 'starter', command: get('/sites') },
    { title: WORDS.events, plan: 'starter', command: get('/events?severity=critical&limit=20') },
    {
      title: WORDS.scan,
      plan: 'starter',
      command: post('/scans', `{"site_url": "${site}", "scan_type": "posture"}`),
    },
    {
      title: WORDS.analysis,
      plan: 'pro',
      command: post(
        '/brain/analyze',
        `{"input_type": "url", "content": "https://login-${domain}.example/reset", "site_url": "${site}"}`,
      ),
    },
  ];
}
