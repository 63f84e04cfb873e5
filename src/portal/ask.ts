import { isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import { HEADER } from '../http/context.ts';
import type { PortalParts, Visit } from './visit.ts';

const API = '/api/v1';
/** What the interface calls something by. Nothing in it could lead to another path. */
const ID = /^[\w-]{1,128}$/;

/** @throws Refusal for what is no id */
export function idOf(text: string | undefined): string {
  if (text === undefined || !ID.test(text)) throw refuse('NOT_FOUND', 'There is nothing at this address.');
  return text;
}

/**
 * What the interface answers a tenant, whatever that is.
 *
 * @param path below the interface's own, with its query
 * @param body of a POST; left out, it is a GET
 * @param once what the request is called, so that one that is sent again does nothing more
 */
export const askWhole = async (
  { inside, fetch }: Pick<PortalParts, 'inside' | 'fetch'>,
  { caller, request: { signal: gone } }: Visit,
  path: string,
  body?: unknown,
  once?: string,
): Promise<Response> => fetch(inside.make(caller, API + path, { gone, body, once }));

/** What the interface answers a tenant, out of its envelope: data, or a refusal. */
export async function tryAsk<Data extends object>(
  ...asked: Parameters<typeof askWhole>
): Promise<Data | Refusal> {
  const answer = await askWhole(...asked);
  const { success, data, error } = (await answer.json()) as Enveloped<Data>;
  if (success) return data;
  const wait = answer.headers.get(HEADER.retryAfter);
  return refuse(error.code, error.message, wait === null ? undefined : Number(wait));
}

/** The same, of which a refusal is thrown. */
export async function ask<Data extends object>(...asked: Parameters<typeof askWhole>): Promise<Data> {
  const answer = await tryAsk<Data>(...asked);
  if (isRefusal(answer)) throw answer;
  return answer;
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

type Enveloped<Data> =
  | { readonly success: true; readonly data: Data; readonly error: undefined }
  | {
      readonly success: false;
      readonly data: undefined;
      readonly error: { readonly code: RefusalCode; readonly message: string };
    };
