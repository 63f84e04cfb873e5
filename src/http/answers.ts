import type { TObject, TSchema } from '@sinclair/typebox';
import { t } from 'elysia';
import { REFUSALS, type RefusalCode } from '../domain/refusal.ts';

/** The success envelope. */
export const success = <Data>(data: Data) => ({ success: true as const, data });

/** Codes that any route can answer with. */
const EVERYWHERE: readonly RefusalCode[] = ['URI_TOO_LONG', 'INTERNAL'];

/** Codes of every route behind a Bearer key. */
export const BEARER_CODES: readonly RefusalCode[] = [
  'UNAUTHORIZED',
  'INVALID_KEY',
  'EXPIRED',
  'RATE_LIMITED',
];

/** Codes of every route that reads a body, of which one is for a body that is unreadable or of the wrong shape. */
export const bodyCodes = (refusedAs: RefusalCode): readonly RefusalCode[] => [
  refusedAs,
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
];
export const BODY_CODES: readonly RefusalCode[] = bodyCodes('INVALID_PAYLOAD');

const MESSAGE = t.String({ description: 'for people; may change' });

/** A route's answers by status, as its schemas and for the contract: the enveloped data and its refusals. */
export const answers = (data: TSchema, ...codes: readonly RefusalCode[]) =>
  bareAnswers(closed({ success: t.Literal(true), data }, 'Done.'), ...codes);

/** The same for a route whose success has no envelope. */
export const bareAnswers = (body: TSchema, ...codes: readonly RefusalCode[]) => ({
  200: body,
  ...refusalSchemas(codes, (code) =>
    closed({ success: t.Literal(false), error: closed({ code, message: MESSAGE }) }),
  ),
});

/** The same for a route with flat bodies; `extra` are the fields that each of its refusals also has. */
export const flatAnswers = (
  body: TSchema,
  extra: Record<string, TSchema>,
  ...codes: readonly RefusalCode[]
) => ({
  200: body,
  ...refusalSchemas(codes, (code) => closed({ ...extra, error: code, message: MESSAGE })),
});

/** The answer to a condition that says the client has the content already. */
export const NOT_MODIFIED = { 304: t.Void({ description: 'The content is still the one of this ETag.' }) };

/** An object without further properties. */
export const closed = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  description?: string,
): TObject<Properties> =>
  t.Object(properties, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });

export const nullable = <Schema extends TSchema>(schema: Schema) => t.Union([schema, t.Null()]);

export const timestamp = (description: string) => t.String({ format: 'date-time', description });

function refusalSchemas(codes: readonly RefusalCode[], bodyOf: (code: TSchema) => TObject) {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of new Set([...codes, ...EVERYWHERE])) {
    const { status } = REFUSALS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, alike]) => [
      status,
      {
        ...bodyOf(
          t.Union(
            alike.map((code) => t.Literal(code)),
            { description: 'for programs; stable' },
          ),
        ),
        description: alike.map((code) => `\`${code}\`: ${REFUSALS[code].when}.`).join(' '),
      },
    ]),
  );
}
