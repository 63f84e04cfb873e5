import { API, call } from '../support/client.ts';
import type { RunningService } from '../support/service.ts';
import { KNOWN_VULNERABILITY } from './known-vulnerability.ts';

/** Identities and names used in the requests. */
export interface Told {
  /** License keys, by owner. */
  readonly keys: Readonly<Record<string, string>>;
  /** Ids by path parameter. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

export interface Question {
  /** The owner of the key; none where the path is public. */
  readonly as?: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface Answered extends Question {
  readonly status: number;
  readonly answer: unknown;
}

/** The paths of an OpenAPI document, and which of them can be read. */
export interface Contract {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly security: readonly object[] } }>>;
}

/** The tenant that uses every feature. */
export const TENANT = 'kingfisher';
/** About the executable only, or an image. */
const NOT_ASKED = [`${API}/status`, `${API}/openapi`, `${API}/trust/{trustId}/badge.svg`];
const QUERIES: Readonly<Record<string, string>> = { [`${API}/evidence/consistency`]: '?first=1&second=3' };

/** Every readable path of a contract, with every id that it accepts; paths without ids as every tenant. */
export function readable({ paths }: Contract, { keys, ids }: Told): Question[] {
  return Object.entries(paths).flatMap(([template, { get }]) => {
    if (get === undefined || NOT_ASKED.includes(template)) return [];
    const [parameter, name = ''] = /\{(\w+)\}/.exec(template) ?? [];
    const found = parameter ? ids[name]?.map((id) => template.replace(parameter, id)) : [template];
    if (found === undefined) throw new Error(`the story tells of nothing for ${template}`);
    const asking = parameter ? [TENANT] : Object.keys(keys);
    return found.flatMap((path): Question[] => {
      const asked = { path: path + (QUERIES[template] ?? '') };
      return get.security.length === 0 ? [asked] : asking.map((as) => ({ as, ...asked }));
    });
  });
}

/** Queries with a body; license/verify may register a domain, so it comes last. */
export function verifiable({ keys }: Told, answered: readonly Answered[]): Question[] {
  const component = { ecosystem: 'wordpress-plugin', name: 'example-gallery', version: '1.2.3' };
  const asTenant = (path: string, body: unknown): Question => ({ as: TENANT, path: API + path, body });
  const credentials = answered.flatMap(({ answer }) => credentialIn(answer) ?? []);
  return [
    asTenant('/analytics/metrics', {}),
    asTenant('/vulnerabilities/match', { components: [component] }),
    asTenant('/risk/score', {
      vulnerabilities: [{ id: KNOWN_VULNERABILITY, exposure: 'open', importance: 'high' }],
    }),
    ...credentials.map((credential) => asTenant('/credentials/verify', { credential })),
    ...Object.entries(keys).flatMap(([as, api_key]): Question[] => [
      { as, path: `${API}/auth/verify`, body: {} },
      { path: `${API}/license/verify`, body: { api_key, domain: `${as}.example.com` } },
    ]),
  ];
}

const credentialIn = (answer: unknown): string | undefined =>
  (answer as { data?: { credential?: string } }).data?.credential;

/** Sends one request after the other, because a request may change the next answer. */
export async function answersTo(
  { url }: RunningService,
  keys: Told['keys'],
  questions: readonly Question[],
): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const question of questions) {
    const { as, path, body } = question;
    const key = as === undefined ? undefined : keys[as];
    const { status, text } = await call(url, path, { key, ...(body === undefined ? {} : { body }) });
    answered.push({ ...question, status, answer: parsed(text) });
  }
  return answered;
}

/** As JSON, otherwise as lines that may each be JSON. */
const parsed = (text: string): unknown =>
  jsonIn(text, (text) => text.split('\n').map((line) => jsonIn(line, (line) => line)));

function jsonIn(text: string, otherwise: (text: string) => unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise(text);
  }
}
