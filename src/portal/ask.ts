import { isRefusal, notRefused, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import { HEADER } from '../http/context.ts';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const API = '/api/v1';
/** The way to the next page of a text, in Link. */
const NEXT = /^<\/api\/v1(\/[^>]+)>; rel="next"$/;
/** What the interface calls something by. Nothing in it could lead to another path. */
const ID = /^[\w-]{1,128}$/;

export const isId = (text: string): boolean => ID.test(text);

/** @throws Refusal for what is no id */
export function idOf(text: string | undefined): string {
  if (text === undefined || !isId(text)) throw refuse('NOT_FOUND', 'There is no page at this address.');
  return text;
}

/**
 * The API's answer to a tenant, success or refusal.
 *
 * @param path relative to the interface's base, with its query
 * @param body of a POST; left out, it is a GET
 * @param once an idempotency key, so that a repeated request has no further effect
 */
export const askWhole = async (
  { inside, fetch }: Pick<PortalParts, 'inside' | 'fetch'>,
  { caller, request: outer }: Visit,
  path: string,
  body?: unknown,
  once?: string,
): Promise<Response> => fetch(inside.make(caller, API + path, { outer, body, once }));

/** A text of the interface that is no JSON. */
export interface AskedText {
  readonly text: string;
  /** The path of its next page, below the interface's own. */
  readonly next: string | undefined;
}

/** The same, out of its envelope where that is a refusal, which is thrown. */
export async function askText(...asked: Parameters<typeof askWhole>): Promise<AskedText> {
  const answer = await askWhole(...asked);
  if (!answer.ok) throw refusalOf(answer, ((await answer.json()) as Refused).error);
  const [, next] = NEXT.exec(answer.headers.get('link') ?? '') ?? [];
  return { text: await answer.text(), next };
}

/** What the interface answers a tenant, out of its envelope: data, or a refusal. */
export async function tryAsk<Data extends object>(
  ...asked: Parameters<typeof askWhole>
): Promise<Data | Refusal> {
  const answer = await askWhole(...asked);
  const { success, data, error } = (await answer.json()) as Enveloped<Data>;
  if (success) return data;
  return refusalOf(answer, error);
}

function refusalOf({ headers }: Response, { code, message }: Refused['error']): Refusal {
  const wait = headers.get(HEADER.retryAfter);
  return refuse(code, message, wait === null ? undefined : Number(wait));
}

/** The same, of which a refusal is thrown. */
export async function ask<Data extends object>(...asked: Parameters<typeof askWhole>): Promise<Data> {
  return notRefused(await tryAsk<Data>(...asked));
}

/** The same, of which a few refusals are answers as well. */
export async function askUnless<Data extends object>(
  codes: readonly RefusalCode[],
  ...asked: Parameters<typeof askWhole>
): Promise<Data | Refusal> {
  const answer = await tryAsk<Data>(...asked);
  if (isRefusal(answer) && !codes.includes(answer.refused)) throw answer;
  return answer;
}

/** A page of a list, whose filters and cursor may be malformed; the interface says that to programs. */
export async function askList<Data extends object>(
  parts: Pick<PortalParts, 'inside' | 'fetch'>,
  visit: Visit,
  path: string,
): Promise<Data | Refusal> {
  const answer = await askUnless<Data>(['INVALID_QUERY'], parts, visit, path);
  return isRefusal(answer) ? refuse('INVALID_QUERY', TEXTS.malformed) : answer;
}

interface Refused {
  readonly success: false;
  readonly data: undefined;
  readonly error: { readonly code: RefusalCode; readonly message: string };
}

type Enveloped<Data> = { readonly success: true; readonly data: Data; readonly error: undefined } | Refused;
