import type { Plan } from '../domain/license/catalog.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.api.examples;
/** A domain without characters that are special in a shell. */
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const FALLBACK = 'example.com';

/** A request as a shell command. */
export interface Example {
  readonly title: string;
  /** The minimum plan for it. */
  readonly plan: Plan;
  readonly command: string;
}

/** Returns the first domain that is safe in a command, otherwise a reserved one. */
export const exampleDomain = (names: readonly string[]): string =>
  names.find((name) => DOMAIN.test(name)) ?? FALLBACK;

/**
 * Returns example requests of a tenant. They read the key from a variable.
 *
 * @param service public URL of this service, without characters that are special in a shell
 * @param domain result of {@link exampleDomain}
 */
export function examplesOf(service: string, domain: string): Example[] {
  const site = `https://${domain}`;
  const get = (path: string) =>
    `curl -sS '${service}/api/v1${path}' \\\n  -H "Authorization: Bearer $REDOUBT_KEY"`;
  // In a here-document, the shell expands the variable with the key.
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
