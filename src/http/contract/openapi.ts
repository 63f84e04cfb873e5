import type { RefusalCode } from '../../domain/refusal.ts';
import { VERSION } from '../../lib/version.ts';
import { KIB } from '../context.ts';
import type { Documented } from '../route/mount.ts';
import type { BodyContract } from '../route/route.ts';
import { ACCEPT_SIGNATURE } from '../signed-replies.ts';
import { TAGS } from './contract.ts';
import { gatherNamed, type Json, type JsonObject } from './named-schemas.ts';

const SPEC_PATH = '/generated';
const CONTACT = { name: 'The Redoubt authors', email: 'redoubt@example.org' };
const LICENSE = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' };

const RESPONSE_HEADERS: JsonObject = {
  'X-Service-Version': {
    description: 'Service version (SemVer)',
    required: true,
    schema: { type: 'string', example: VERSION },
  },
  'X-Request-Id': {
    description: 'Request ID, also written to the service log',
    required: true,
    schema: { type: 'string' },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the limit that is closest to being exhausted',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Limit': {
    description: 'Size of that limit; absent if the request counts against none',
    schema: { type: 'integer', minimum: 1 },
  },
};
const RETRY_AFTER: JsonObject = {
  'Retry-After': {
    description: 'Seconds to wait before retrying',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
};
const HEADERS_BY_STATUS: JsonObject = {
  202: {
    Location: { description: 'URL of the scan', required: true, schema: { type: 'string' } },
    ...RETRY_AFTER,
  },
  401: {
    'WWW-Authenticate': {
      description: 'Authentication scheme',
      required: true,
      schema: { type: 'string', enum: ['Bearer'] },
    },
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};
/** The request header of routes that can return 304. */
const CONDITION: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags of cached responses; 304 is returned if one is current',
  schema: { type: 'string' },
};
const VALIDATORS: JsonObject = {
  'Retry-After': {
    description:
      'Seconds to wait before the next request. Sent while the content is not final; the response then has no ETag',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: { description: 'Strong ETag; changes only with the content', schema: { type: 'string' } },
  Age: {
    description: 'Seconds since the content was last verified; sent only for content that can become stale',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** Response headers of routes that sign on request. */
const SIGNATURE_HEADERS: JsonObject = {
  'Content-Digest': {
    description: 'SHA-256 digest of the body (RFC 9530); signed responses only',
    schema: { type: 'string' },
  },
  'Signature-Input': {
    description:
      'Covered components (status, digest, method and URL), the nonce of the request and the key ID',
    schema: { type: 'string' },
  },
  Signature: { description: 'Ed25519 signature (RFC 9421)', schema: { type: 'string' } },
};

const HEADERS_BY_MEDIA_TYPE: JsonObject = {
  'application/x-ndjson': {
    Link: { description: 'URL of the next page; absent on the last page', schema: { type: 'string' } },
  },
  'image/svg+xml': {
    'Content-Security-Policy': {
      description: 'Blocks all external resources',
      schema: { type: 'string' },
    },
    'Cross-Origin-Resource-Policy': {
      description: 'Allows any site to embed the image',
      schema: { type: 'string', enum: ['cross-origin'] },
    },
  },
};
const HEADERS_BY_TAG: JsonObject = {
  [TAGS.trust]: {
    'Access-Control-Allow-Origin': {
      description: 'Allows scripts of any site to read the response',
      schema: { type: 'string', enum: ['*'] },
    },
  },
};

/** The parts of a document that do not come from routes. */
export interface ApiDescription {
  readonly title: string;
  /** The version of the document. */
  readonly version: string;
  /** Markdown. */
  readonly text: string;
  /** In reading order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Its name is the one that routes use in `security`. */
  readonly bearer: { readonly name: string; readonly description: string };
  /** All codes that a refusal may have. */
  readonly codes: readonly RefusalCode[];
}

/** Generates the OpenAPI 3.0 document of routes. */
export async function describeApi(
  { with: withGenerator, bodyOf }: Documented,
  { title, version, text, tags, bearer, codes }: ApiDescription,
  serverUrl: string,
): Promise<JsonObject> {
  // Imported here, because most processes do not need it.
  const { swagger } = await import('@elysiajs/swagger');
  const generator = withGenerator(
    swagger({
      path: '/unused',
      specPath: SPEC_PATH,
      // The plugin would skip paths that contain a dot.
      excludeStaticFile: false,
      documentation: {
        info: { title, version, description: text, contact: CONTACT, license: LICENSE },
        servers: [{ url: serverUrl }],
        tags: [...tags],
        components: {
          securitySchemes: {
            [bearer.name]: { type: 'http', scheme: 'bearer', description: bearer.description },
          },
        },
      },
    }),
  );
  const generated = await generator.handle(new Request(`http://localhost${SPEC_PATH}`));
  const { components, ...document } = (await generated.json()) as Record<string, JsonObject>;
  const { schemas, referring: paths } = gatherNamed(
    mapValues(document.paths ?? {}, (operations, path) =>
      mapValues(operations as JsonObject, (operation, method) =>
        completeOperation(operation, bodyOf(method, path), codes),
      ),
    ),
  );
  return { ...document, openapi: '3.0.3', paths, components: { ...components, schemas } };
}

function completeOperation(operation: Json, body: BodyContract | undefined, codes: readonly string[]): Json {
  const { responses, requestBody, parameters, ...rest } = operation as Record<string, JsonObject>;
  const tags = (rest.tags ?? []) as unknown as readonly string[];
  const isConditional = responses !== undefined && '304' in responses;
  const asked = [...((parameters as unknown as Json[]) ?? []), ...(isConditional ? [CONDITION] : [])];
  const isSigned = asked.some((parameter) => (parameter as JsonObject).name === ACCEPT_SIGNATURE);
  return {
    ...rest,
    ...(asked.length > 0 ? { parameters: toOpenApi30(asked) } : {}),
    ...(requestBody ? { requestBody: completeBody(requestBody, body) } : {}),
    responses: Object.fromEntries(
      Object.entries(responses ?? {}).map(([status, response]) => [
        status,
        completeResponse(response as JsonObject, Number(status) >= 400 ? codes : undefined, {
          ...(HEADERS_BY_STATUS[status] as JsonObject),
          ...Object.assign({}, ...tags.map((tag) => HEADERS_BY_TAG[tag] ?? {})),
          ...(isConditional && Number(status) < 400 ? VALIDATORS : {}),
          ...(isSigned ? SIGNATURE_HEADERS : {}),
        }),
      ]),
    ),
  };
}

function completeBody(requestBody: JsonObject, body: BodyContract | undefined): JsonObject {
  const { schema, examples } = jsonContent(requestBody);
  return {
    ...(body === undefined ? {} : { description: `Maximum size: ${body.capBytes / KIB} KiB.` }),
    required: body?.isOptional !== true || isFieldNeeded(schema),
    content: contentOf(schema, examples),
  };
}

/** Whether an empty object does not match a schema. */
const isFieldNeeded = (schema: Json): boolean => 'required' in (schema as JsonObject);

function contentOf(schema: Json, examples?: Json): JsonObject {
  const {
    examples: shown = [],
    contentMediaType = 'application/json',
    ...described
  } = schema as {
    examples?: readonly Json[];
    contentMediaType?: string;
  };
  const [example] = shown;
  return {
    [contentMediaType]: {
      schema: toOpenApi30(described as Json),
      ...(examples ? { examples } : {}),
      ...(example === undefined ? {} : { example }),
    },
  };
}

/** @param codes all existing codes, if the response is a refusal */
function completeResponse(
  response: JsonObject,
  codes: readonly string[] | undefined,
  headers: JsonObject,
): JsonObject {
  // The plugin moves an object's annotations out of its schema and drops `additionalProperties: false`.
  const { description = '', title, examples } = response;
  const { schema } = jsonContent(response);
  const isClosed = Object.keys((schema as JsonObject | undefined)?.properties ?? {}).length > 0;
  const annotated: JsonObject = {
    ...(isClosed ? { additionalProperties: false } : {}),
    ...(schema as JsonObject),
    ...(title && examples ? { title, examples } : {}),
  };
  const { contentMediaType: mediaType } = annotated;
  return {
    description,
    headers: {
      ...RESPONSE_HEADERS,
      ...headers,
      ...(HEADERS_BY_MEDIA_TYPE[String(mediaType)] as JsonObject),
    },
    ...(schema === undefined
      ? {}
      : { content: contentOf(codes && mediaType === undefined ? narrowed(annotated, codes) : annotated) }),
  };
}

/** Describes a refusal as the common type with any code, restricted to the codes of this response. */
function narrowed(
  { examples, description: _, ...refusal }: JsonObject,
  known: readonly string[],
): JsonObject {
  const { error, ...others } = refusal.properties as Readonly<Record<'error', JsonObject>>;
  const inside = error.properties as Readonly<Record<string, JsonObject>> | undefined;
  const codes = inside?.code ?? error;
  const anyCode = {
    title: 'RefusalCode',
    type: 'string',
    description: codes.description ?? '',
    enum: known,
  };
  const anyError: JsonObject = inside ? { ...error, properties: { ...inside, code: anyCode } } : anyCode;
  const ownError: JsonObject = inside ? { type: 'object', properties: { code: codes } } : codes;
  return {
    examples: examples ?? [],
    allOf: [
      { ...refusal, properties: { ...others, error: anyError } },
      { type: 'object', properties: { error: ownError } },
    ],
  };
}

const jsonContent = (holder: JsonObject): { schema: Json; examples?: Json } =>
  ((holder.content as JsonObject | undefined)?.['application/json'] ?? {}) as unknown as { schema: Json };

/** Converts TypeBox's JSON Schema to the dialect of OpenAPI 3.0. */
function toOpenApi30(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(toOpenApi30);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { examples: _, const: constant, anyOf, patternProperties, ...rest } = schema as JsonObject;
  const kept = mapValues(rest, toOpenApi30);
  if (constant !== undefined) return { ...kept, enum: [constant] };
  if (Array.isArray(anyOf)) return { ...union(anyOf), ...kept };
  if (patternProperties !== undefined) {
    return {
      ...kept,
      additionalProperties: toOpenApi30(Object.values(patternProperties as JsonObject)[0] ?? {}),
    };
  }
  // Client generators treat an object without properties as empty, unless it explicitly allows additional ones.
  const isAnyObject = kept.type === 'object' && Object.keys(kept.properties ?? {}).length === 0;
  return isAnyObject ? { additionalProperties: true, ...kept } : kept;
}

function union(variants: readonly Json[]): JsonObject {
  const some = variants.filter((variant) => (variant as JsonObject).type !== 'null');
  const nullable: JsonObject = some.length < variants.length ? { nullable: true } : {};
  // With an enum, null must also be one of its values.
  const listedNull = nullable.nullable ? [null] : [];
  const constants = some.map((variant) => (variant as JsonObject).const);
  if (constants.every((constant) => typeof constant === 'string')) {
    return { type: 'string', enum: [...(constants as string[]), ...listedNull], ...nullable };
  }
  if (some.length === 1) {
    // OpenAPI 3.0 ignores `nullable` next to a reference, so nullable schemas have no name.
    const { title: _, ...only } = some[0] as JsonObject;
    const converted = toOpenApi30(only) as JsonObject;
    const values = Array.isArray(converted.enum) ? { enum: [...converted.enum, ...listedNull] } : {};
    return { ...converted, ...values, ...nullable };
  }
  return { anyOf: some.map(toOpenApi30), ...nullable };
}

const mapValues = (object: JsonObject, change: (value: Json, name: string) => Json): Record<string, Json> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
