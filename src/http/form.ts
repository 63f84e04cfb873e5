import { isUtf8 } from 'node:buffer';
import { refuse } from '../domain/refusal.ts';
import { formPairs } from '../lib/form-pairs.ts';
import { bodyBytesOf } from './body.ts';
import { type HookContext, KIB } from './context.ts';

const CAP_BYTES = 64 * KIB;

/** The fields of a submitted form; the last value of repeated names. */
export type Form = Readonly<Record<string, string>>;

export interface FormRules {
  readonly capBytes?: number;
  /** The field whose text is not stored, so that it may contain any character. */
  readonly anyTextIn?: string;
}

/** @throws Refusal if the body is too large, too late, not a form, or contains text that cannot be stored unchanged */
export async function readForm(
  context: HookContext,
  { capBytes = CAP_BYTES, anyTextIn }: FormRules = {},
): Promise<Form> {
  const type = context.request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw refuse('INVALID_PAYLOAD', 'The body is not a form.');
  const bytes = await bodyBytesOf(context, capBytes);
  const pairs = isUtf8(bytes) ? formPairs(new TextDecoder().decode(bytes), anyTextIn) : undefined;
  if (pairs === undefined) throw refuse('INVALID_PAYLOAD', 'The form is not valid UTF-8, or contains NUL.');
  return Object.fromEntries(pairs);
}
