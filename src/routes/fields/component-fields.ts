import { type Static, type TSchema, Type as t } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { inspectComponents } from '../../domain/privacy/components.ts';
import { refuse } from '../../domain/refusal.ts';
import {
  COMPONENT_NAME,
  COMPONENT_VERSION,
  ECOSYSTEM_NAME,
  NAME_HASH,
  PUBLIC_COMPONENT_NAME,
} from '../../domain/vulnerability/component.ts';
import { nameHash, normalizeName, parseEcosystem } from '../../domain/vulnerability/ecosystem.ts';
import type { ReportedComponent } from '../../domain/vulnerability/inventory.ts';
import { VERSION_CHARACTERS_MAX } from '../../domain/vulnerability/versions/scheme.ts';
import { bodySchema } from '../../http/body.ts';
import { asClientsWrite } from '../../http/client-values.ts';
import { typed } from '../../http/contract/answers.ts';
import { Empty, withClientValues } from '../../http/contract/client-values.ts';
import { oneOf } from '../../http/fields.ts';
import { checker } from '../../http/schema-check.ts';
import { plainVersion } from '../../lib/plain-version.ts';

export const COMPONENTS_MAX = 500;
/** Unstorable text makes one component malformed, not the whole body. */
export const ANY_COMPONENT = 'components.*.*';

export const EcosystemName = t.String({
  pattern: ECOSYSTEM_NAME.source,
  description:
    '`wordpress-core`, `wordpress-plugin`, `wordpress-theme`, `npm`, `pypi`, or a distribution with its release, such as `debian:12` or `ubuntu:24.04`; without a release, all releases. Other values have the outcome `unsupported`',
});
export const ComponentVersion = t.String({
  pattern: COMPONENT_VERSION.source,
  description: 'installed version; for distributions, the version of the source package',
});
export const ComponentStatus = oneOf(
  ['active', 'inactive'] as const,
  'whether the component is active; default `active`. Inactive components are not reachable by the public',
);
export const NameHash = t.String({
  pattern: NAME_HASH.source,
  description:
    'hash in place of the name: base64url(SHA-256("redoubt-component-v1\\n" + ecosystem + "\\n" + name)), name in lower case. ' +
    'The service can then resolve only names with known vulnerabilities',
});

const installed = { version: ComponentVersion, status: t.Optional(ComponentStatus) };
const nameOf = (pattern: RegExp) =>
  t.String({
    pattern: pattern.source,
    description: 'slug, package or source package, case-insensitive; not a path or title',
  });
const NamedComponent = typed('NamedComponent', {
  ecosystem: EcosystemName,
  name: nameOf(COMPONENT_NAME),
  ...installed,
});
const HashedComponent = typed('HashedComponent', {
  ecosystem: EcosystemName,
  name_hash: NameHash,
  ...installed,
});
const Component = t.Union([NamedComponent, HashedComponent]);
/** All fields of a component, for parsing the spellings of clients. */
const AnyComponent = t.Partial(t.Object({ ...NamedComponent.properties, ...HashedComponent.properties }));

/**
 * Returns the schema for the contract: with empty values that count as absent, and without names that the privacy rules refuse.
 */
const shownComponent = () => {
  const { properties, ...shown } = NamedComponent;
  const named = withClientValues({
    ...shown,
    properties: { ...properties, name: nameOf(PUBLIC_COMPONENT_NAME) },
  });
  const hashed = withClientValues(HashedComponent);
  return t.Union(
    [
      { ...named, properties: { ...named.properties, name_hash: t.Optional(Empty) } },
      { ...hashed, properties: { ...hashed.properties, name: t.Optional(Empty) } },
    ],
    { title: 'Component' },
  );
};

const listFields = (Items: TSchema, description: string) => ({
  components: t.Array(Items, { maxItems: COMPONENTS_MAX, description }),
});

/** The body without its components, which are checked separately. */
export const ComponentsBody = t.Object(listFields(t.Unknown(), 'any'), { additionalProperties: false });

const readComponents = asClientsWrite(t.Object(listFields(AnyComponent, 'any')));
const checkList = checker(ComponentsBody, 'INVALID_COMPONENTS');

/** Checks that a body is a list of components, and normalizes the spellings of clients. */
export function checkComponents(body: unknown): SentComponents {
  readComponents(body);
  return checkList(body);
}

/** The result of {@link checkComponents}. */
export type SentComponents = Static<typeof ComponentsBody>;

/** The contract of a body with components. */
export const componentsBody = (title: string) =>
  bodySchema(
    title,
    listFields(
      shownComponent(),
      'components, identified by name or hash. Malformed ones have the outcome `unsupported` and are not stored',
    ),
    {
      components: [
        { ecosystem: 'wordpress-plugin', name: 'example-gallery', version: '1.2.3' },
        {
          ecosystem: 'wordpress-plugin',
          name_hash: nameHash('wordpress-plugin', 'example-private-plugin'),
          version: '0.9.1',
          status: 'inactive',
        },
      ],
    },
  );

const PATH_ADVICE = 'For a plugin or theme, send only its folder: contact-us, not contact-us/contact-us.php.';
const FIELDS_ADVICE = 'Send only ecosystem, name or name_hash, version and status.';

/** Refuses components that violate the privacy rules, before the schema is checked. */
export function refusePrivateComponents(body: unknown): void {
  const violation = inspectComponents(body);
  if (violation === undefined) return;
  throw refuse(
    'COMPONENTS_PRIVACY_REJECTED',
    `${violation.path}: refused by the privacy rule ${violation.rule}. ${violation.rule === 'value.path' ? PATH_ADVICE : FIELDS_ADVICE}`,
  );
}

/** Returns the components of a checked body in order, with the hashes of their names; undefined for malformed ones. */
export const reportedComponents = (sent: readonly unknown[]): (ReportedComponent | undefined)[] =>
  sent.map(reportedComponent);

let compiled: TypeCheck<typeof Component> | undefined;

function reportedComponent(sent: unknown): ReportedComponent | undefined {
  compiled ??= TypeCompiler.Compile(Component);
  tidyVersion(sent);
  if (!compiled.Check(sent)) return undefined;
  const { ecosystem, version, status = 'active' } = sent;
  if ('name_hash' in sent) return { ecosystem, name: null, nameHash: sent.name_hash, version, status };
  const { name } = sent;
  const known = parseEcosystem(ecosystem);
  const normal = known === undefined ? name : normalizeName(known, name);
  return normal === undefined
    ? undefined
    : { ecosystem, name: normal, nameHash: nameHash(ecosystem, normal), version, status };
}

/** Removes white space from versions such as `1.0 RC1` of plugins, which the contract does not allow. */
function tidyVersion(sent: unknown): void {
  if (typeof sent !== 'object' || sent === null || !('version' in sent)) return;
  const { version } = sent;
  if (
    typeof version === 'string' &&
    version.length <= VERSION_CHARACTERS_MAX &&
    !COMPONENT_VERSION.test(version)
  )
    sent.version = plainVersion(version);
}

/** Omits malformed components, which cannot be looked up. */
export const wellFormed = (reported: readonly (ReportedComponent | undefined)[]): ReportedComponent[] =>
  reported.filter((component) => component !== undefined);
