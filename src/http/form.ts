import { refuse } from '../domain/refusal.ts';
import { bodyBytesOf } from './body.ts';
import { type HookContext, KIB } from './context.ts';

const CAP_BYTES = 64 * KIB;

/** The fields of a form that a page sent; of doubled names the last counts. */
export type Form = Readonly<Record<string, string>>;

/** @throws Refusal for a body that is too large, too late or no form */
export async function readForm(context: HookContext, capBytes = CAP_BYTES): Promise<Form> {
  const type = context.request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw refuse('INVALID_PAYLOAD', 'The body is no form.');
  const bytes = await bodyBytesOf(context, capBytes);
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}
