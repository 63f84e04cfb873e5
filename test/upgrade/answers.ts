import { API, call } from '../support/client.ts';
import type { RunningService } from '../support/service.ts';
import { KNOWN_VULNERABILITY } from './known-vulnerability.ts';

/** Who was told of, and what things are called. */
export interface Told {
  /** License keys, by whose they are. */
  readonly keys: Readonly<Record<string, string>>;
  /** What things are called, by the parameters of paths. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

export interface Question {
  /** Whose key asks; nobody's where it is public. */
  readonly as?: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface Answered extends Question {
  readonly status: number;
  readonly answer: unknown;
}

/** Of what tells which paths can be read. */
export interface Contract {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly security: readonly object[] } }>>;
}

/** Whoever uses everything. */
export const TENANT = 'kingfisher';
/** What tells of the executable alone, or is drawn. */
const NOT_ASKED = [`${API}/status`, `${API}/openapi`, `${API}/trust/{trustId}/badge.svg`];
const QUERIES: Readonly<Record<string, string>> = { [`${API}/evidence/consistency`]: '?first=1&second=3' };

/** Everything that a contract lets a tenant read, with every id that it takes; what takes none, as every tenant. */
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

/** What is asked by a body; license/verify may register a domain, so it is asked after everything else. */
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

/** Asks one after the other, as what is asked may change what is answered next. */
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

/** As JSON, else as lines, each of which may be JSON. */
const parsed = (text: string): unknown =>
  jsonIn(text, (text) => text.split('\n').map((line) => jsonIn(line, (line) => line)));

function jsonIn(text: string, otherwise: (text: string) => unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise(text);
  }
}
