import { isRefusal, notRefused, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import { HEADER } from '../http/context.ts';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const API = '/api/v1';
/** The Link header of a text with further pages. */
const NEXT = /^<\/api\/v1(\/[^>]+)>; rel="next"$/;
/** An ID of the API, without characters that could change the path of a request. */
const ID = /^[\w-]{1,128}$/;

export const isId = (text: string): boolean => ID.test(text);

/** @throws Refusal if the text is not an ID */
export function idOf(text: string | undefined): string {
  if (text === undefined || !isId(text)) throw refuse('NOT_FOUND', 'There is no page at this address.');
  return text;
}

/**
 * Sends a request to the API on behalf of a tenant, and returns the response.
 *
 * @param path path with query, relative to the base of the API
 * @param body JSON body of a POST; without it, the request is a GET
 * @param once idempotency key, so that a repeated request has no further effect
 */
export const askWhole = async (
  { inside, fetch }: Pick<PortalParts, 'inside' | 'fetch'>,
  { caller, request: outer }: Visit,
  path: string,
  body?: unknown,
  once?: string,
): Promise<Response> => fetch(inside.make(caller, API + path, { outer, body, once }));

/** A response of the API other than JSON. */
export interface AskedText {
  readonly text: string;
  /** Path of the next page, relative to the base of the API. */
  readonly next: string | undefined;
}

/** Like `askWhole`, for a text. @throws Refusal */
export async function askText(...asked: Parameters<typeof askWhole>): Promise<AskedText> {
  const answer = await askWhole(...asked);
  if (!answer.ok) throw refusalOf(answer, ((await answer.json()) as Refused).error);
  const [, next] = NEXT.exec(answer.headers.get('link') ?? '') ?? [];
  return { text: await answer.text(), next };
}

/** Like `askWhole`, but returns the data or the refusal in the response. */
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

/** Like `tryAsk`. @throws Refusal */
export async function ask<Data extends object>(...asked: Parameters<typeof askWhole>): Promise<Data> {
  return notRefused(await tryAsk<Data>(...asked));
}

/** Like `ask`, but returns refusals with the given codes. */
export async function askUnless<Data extends object>(
  codes: readonly RefusalCode[],
  ...asked: Parameters<typeof askWhole>
): Promise<Data | Refusal> {
  const answer = await tryAsk<Data>(...asked);
  if (isRefusal(answer) && !codes.includes(answer.refused)) throw answer;
  return answer;
}

/** Reads a page of a list. Replaces the refusal of malformed filters, which is written for programs, with a text for people. */
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
