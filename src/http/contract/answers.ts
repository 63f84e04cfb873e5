import { type TObject, type TProperties, type TSchema, Type as t } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { meaningOf, type RefusalCode } from '../../domain/refusal.ts';
import type { Answers, Responses } from '../route/route.ts';
import { STATUS_OF } from '../statuses.ts';

/** The success envelope. */
export const success = <Data>(data: Data) => ({ success: true as const, data });

const asItIs = <Body>(body: Body): Body => body;

/** Codes of all routes. */
const EVERYWHERE: readonly RefusalCode[] = [
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'STORE_UNAVAILABLE',
  'INTERNAL',
];

/** Codes of all routes that require a license key. */
export const BEARER_CODES: readonly RefusalCode[] = [
  'UNAUTHORIZED',
  'INVALID_KEY',
  'EXPIRED',
  'RATE_LIMITED',
];

/** Codes of all routes with a body. `refusedAs` is the code of unreadable or invalid bodies. */
export const bodyCodes = (refusedAs: RefusalCode): readonly RefusalCode[] => [
  refusedAs,
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_CONTENT_ENCODING',
];
export const BODY_CODES: readonly RefusalCode[] = bodyCodes('INVALID_PAYLOAD');

/** Adds an example and a description to the schema of a success. */
export const show = <Schema extends TSchema>(
  schema: Schema,
  example: object,
  description = schema.description ?? '',
): Schema => ({ ...schema, description, examples: [example] });

const envelopedAnswers = (data: TSchema, ...codes: readonly RefusalCode[]) => {
  const { title, description, examples = [] } = data;
  const envelope = closed({ success: t.Literal(true), data }, description, `${title}Response`);
  return bareAnswers(show(envelope, { success: true, data: examples[0] }), ...codes);
};

const bareAnswers = (body: TSchema, ...codes: readonly RefusalCode[]) => ({
  200: body,
  ...byStatus(codes, envelopedSchema),
});

/** Answers with data of a named type, in the envelope. */
export const ENVELOPED: Answers = { schemas: envelopedAnswers, enclose: success };

/** Like {@link ENVELOPED}, but with status 202 for work that will be done later. */
export const QUEUED: Answers = {
  schemas: (data, ...codes) => {
    const { 200: success, ...refusals } = envelopedAnswers(data, ...codes);
    return { 202: success, ...refusals };
  },
  enclose: success,
};

/** Answers whose successes have no envelope. Refusals have one. */
export const BARE: Answers = { schemas: bareAnswers, enclose: asItIs };

/** The body of a success that is not JSON. */
export const textBody = (mediaType: string, description: string, example: string): TSchema =>
  t.String({ contentMediaType: mediaType, description, examples: [example] });

/**
 * Answers without an envelope.
 *
 * @param extra additional fields of all refusals except STORE_UNAVAILABLE, for which their values are unknown
 */
export const flat = (extra: TProperties = {}): Answers => ({
  schemas: (body, ...codes): Responses => {
    const flat = ({ code, message }: { code: TSchema; message: TSchema }) => ({ error: code, message });
    return {
      200: body,
      ...byStatus(codes, (alike) =>
        refusalSchema(`${body.title}Refusal`, alike, (error) => ({ ...extra, ...flat(error) })),
      ),
      503: refusalSchema(`${body.title}Unavailable`, ['STORE_UNAVAILABLE'], flat),
    };
  },
  enclose: asItIs,
});

/** The schema of the answer of a route that serves a contract. */
export const contractOf = ({ title, version }: { readonly title: string; readonly version: string }) =>
  show(
    t.Object(
      {},
      { title: 'Contract', description: 'Returns this document in OpenAPI 3.0, without an envelope.' },
    ),
    { openapi: '3.0.3', info: { title, version }, paths: {} },
  );

/** Adds status 304 to the answers of a route that supports If-None-Match. */
export const conditional = ({ schemas, enclose }: Answers): Answers => ({
  schemas: (data, ...codes) => ({
    ...schemas(data, ...codes),
    304: t.Void({ description: 'The content has not changed since this ETag.' }),
  }),
  enclose,
});

/**
 * An object without additional properties.
 *
 * @param title makes it a named type in the contract, for client generators
 */
export const closed = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  description?: string,
  title?: string,
): TObject<Properties> =>
  t.Object(properties, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
    ...(title === undefined ? {} : { title }),
  });

/** A closed object with a name in the contract. */
export const typed = <Properties extends TProperties>(title: string, properties: Properties) =>
  closed(properties, undefined, title);

/** @param description replaces the schema's own */
export const nullable = <Schema extends TSchema>(schema: Schema, description = schema.description) =>
  t.Union([schema, t.Null()], description === undefined ? {} : { description });

export const timestamp = (description: string) => t.String({ format: 'date-time', description });

/** Builds the fields of a refusal, either in an envelope or flat. */
type FieldsOf = (error: { code: TSchema; message: TSchema; license_id?: TSchema }) => TProperties;

const enveloped: FieldsOf = (error) => ({ success: t.Literal(false), error: closed(error) });

/** The schema of all refusals with one status. */
function refusalSchema(title: string, alike: readonly RefusalCode[], fieldsOf: FieldsOf): TObject {
  const code = t.Union(
    alike.map((each) => t.Literal(each)),
    { description: 'machine-readable code; stable' },
  );
  const message = t.String({ description: 'human-readable message; may change' });
  const description = alike.map((each) => `\`${each}\`: ${meaningOf(each)}.`).join(' ');
  const examples = alike.slice(0, 1).map((each) => exampleOf(each, fieldsOf));
  if (!alike.includes('EXTERNAL_ID_TAKEN'))
    return { ...typed(title, fieldsOf({ code, message })), description, examples };
  const license = {
    license_id: t.Optional(t.String({ description: 'license with this external ID' })),
  };
  return {
    ...typed(`${title}ByLicense`, fieldsOf({ code, message, ...license })),
    description,
    examples,
  };
}

function exampleOf(code: RefusalCode, fieldsOf: FieldsOf): unknown {
  const when = meaningOf(code);
  const message = t.String({ default: `${when[0]?.toUpperCase()}${when.slice(1)}.` });
  return Value.Create(closed(fieldsOf({ code: t.Literal(code), message })));
}

/** Cached because most routes have the same refusals. Building them for each would take a tenth of the startup time. */
const envelopedSchemas = new Map<string, TObject>();

function envelopedSchema(alike: readonly RefusalCode[]): TObject {
  const key = alike.join();
  const known = envelopedSchemas.get(key);
  if (known) return known;
  const schema = refusalSchema('Refusal', alike, enveloped);
  envelopedSchemas.set(key, schema);
  return schema;
}

function byStatus(
  codes: readonly RefusalCode[],
  schemaOf: (alike: readonly RefusalCode[]) => TObject,
): Record<string, TObject> {
  const alike = new Map<number, RefusalCode[]>();
  for (const code of new Set([...codes, ...EVERYWHERE])) {
    const status = STATUS_OF[code];
    alike.set(status, [...(alike.get(status) ?? []), code]);
  }
  return Object.fromEntries([...alike].map(([status, codes]) => [status, schemaOf(codes)]));
}
