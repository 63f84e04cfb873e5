import { type TProperties, type TSchema, Type as t } from '@sinclair/typebox';
import { MODULE_NAME } from '../domain/license/catalog.ts';
import { LICENSE_NAME, parseLicenseName } from '../domain/license/license-name.ts';
import { DOMAIN_CHARACTERS_MAX } from '../domain/site/site-domain.ts';
import { bodySchema } from '../http/body.ts';
import { closed, nullable } from '../http/contract/answers.ts';
import { emailText, line, oneOf, siteText, text } from '../http/fields.ts';
import { CERTIFICATES } from '../lib/certificates.ts';
import { reasonField } from '../routes/admin/fields/act.ts';
import { HoldName, PlanName } from '../routes/admin/fields/license.ts';
import {
  certificatesIn,
  domainIn,
  emailIn,
  lineIn,
  momentIn,
  siteDomainIn,
} from '../routes/admin/fields/wanted.ts';
import type { Config } from '../settings/config.ts';
import type { ActWords } from './act.ts';
import {
  type ContractType,
  EMAIL_CHARACTERS_MAX,
  type Field,
  type Fields,
  MOMENT_CHARACTERS_MAX,
} from './field.ts';

const TYPES: Readonly<Record<ContractType, TSchema>> = { Plan: PlanName, Hold: HoldName };
const MODULES_MAX = 64;

export const DomainField = siteText('domain as sent by the site', DOMAIN_CHARACTERS_MAX);

const schemasOf = (fields: Fields): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));

function schemaOf(field: Field): TSchema {
  const one = schemaOfOne(field);
  const schema = field.isNullable ? nullable(one, field.aboutNull) : one;
  return field.isOptional ? t.Optional(schema) : schema;
}

function schemaOfOne(field: Field): TSchema {
  const { about: description = '' } = field;
  switch (field.kind) {
    case 'choice':
      return field.type === undefined ? oneOf(field.words, field.about) : TYPES[field.type];
    case 'flag':
      return t.Boolean({ description });
    case 'number':
    case 'hours':
    case 'minutes':
      return t.Integer({ minimum: 0, maximum: field.max, description });
    case 'line':
      return line(description, field.max);
    case 'email':
      return emailText(description, EMAIL_CHARACTERS_MAX);
    case 'moment':
      return text({
        minLength: 1,
        maxLength: MOMENT_CHARACTERS_MAX,
        anyOf: [{ format: 'date-time' }, { format: 'date' }],
        description: `${description}; a date without time means its start (UTC); other ISO 8601 forms with an offset are accepted`,
      });
    case 'domain':
      return DomainField;
    case 'domains':
      return t.Array(DomainField, { maxItems: field.max, description });
    case 'modules':
      return t.Array(t.String({ pattern: MODULE_NAME.source, description: 'module name' }), {
        maxItems: MODULES_MAX,
        description,
      });
    case 'choices':
      return t.Array(oneOf(field.words), { minItems: 1, maxItems: field.words.length, description });
    case 'lines':
      return t.Array(line('one line', field.max), { minItems: 1, maxItems: field.items, description });
    case 'licenses':
      return t.Array(t.String({ pattern: LICENSE_NAME.source, description: 'license, such as lic_1' }), {
        minItems: 1,
        maxItems: field.max,
        description,
      });
    case 'certificates':
      return text({
        minLength: 1,
        maxLength: field.max,
        pattern: CERTIFICATES.source,
        description: `${description}, in PEM`,
      });
  }
}

/**
 * Returns the schema of an act's request body; of its form if it has no operation.
 *
 * @param target fields that name the target
 */
export function bodyOf({ fields, api }: Pick<ActWords, 'fields' | 'api'>, target: TProperties = {}) {
  const properties = { ...target, ...schemasOf(fields), ...reasonField };
  return api ? bodySchema(api.body, properties, api.example) : closed(properties);
}

/**
 * Parses the fields of a validated body.
 *
 * @throws Refusal naming the field
 */
export const inputOf = (
  fields: Fields,
  body: Readonly<Record<string, unknown>>,
  config: Config,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, meaningOf(name, field, body[name], config)]),
  );

function meaningOf(name: string, field: Field, sent: unknown, config: Config): unknown {
  if (field.kind === 'domains' && Array.isArray(sent))
    return sent.map((each, at) => siteDomainIn(`${name}[${at}]`, String(each), config));
  if (field.kind === 'lines' && Array.isArray(sent))
    return sent.map((each, at) => lineIn(`${name}[${at}]`, String(each), field.max));
  if (field.kind === 'licenses' && Array.isArray(sent))
    return sent.map((each) => parseLicenseName(String(each)));
  if (typeof sent !== 'string') return sent;
  switch (field.kind) {
    case 'line':
      return lineIn(name, sent, field.max);
    case 'email':
      return emailIn(name, sent);
    case 'certificates':
      return certificatesIn(name, sent);
    case 'moment':
      return momentIn(name, sent);
    case 'domain':
      return field.isBound ? siteDomainIn(name, sent, config) : domainIn(name, sent, config);
    default:
      return sent;
  }
}
