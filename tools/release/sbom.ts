import { createHash } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import { iso } from '../../src/lib/clock.ts';
import type { ContainedPackage } from './contents.ts';
import { type DebianPin, purlOf } from './image/debian-lock.ts';
import type { Pinned } from './lock.ts';

/** What the bill of a release is written of. */
export interface SbomParts {
  readonly version: string;
  readonly commit: string;
  /** In milliseconds since the Unix epoch. */
  readonly committedAt: number;
  readonly packages: readonly ContainedPackage[];
  readonly pinned: ReadonlyMap<string, Pinned>;
  /** Of the runtime and what is in it, as it says itself. */
  readonly runtimeVersions: Readonly<Record<string, string | undefined>>;
  /** The packages that the container image has files of; none in the bill of the executables. */
  readonly debian?: readonly DebianPin[];
}

/** Libraries that are in Bun, by the names under which it tells their versions. It also tells what it behaves like, such as Node. */
const IN_BUN =
  'ares boringssl icu libarchive libdeflate llhttp lolhtml lshpack mimalloc picohttpparser sqlite tinycc usockets uwebsockets webkit zlib zstd'.split(
    ' ',
  );

/** What is in the executables, or in the container image, as CycloneDX 1.6 in JSON. */
export function sbomOf(parts: SbomParts): string {
  const { version, commit, committedAt, packages, runtimeVersions, debian = [] } = parts;
  const own = componentOf(
    'application',
    'redoubt',
    version,
    `pkg:generic/redoubt@${encodeURIComponent(version)}`,
  );
  const bun = bunComponent(runtimeVersions);
  const others = [
    ...packages.map((contained) => packageComponent(contained, parts.pinned)),
    ...debian.map(debianComponent),
  ];
  const refs = [bun, ...others].map((component) => component['bom-ref']);
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${version} ${commit}${debian.map(purlOf).join()}`)}`,
    version: 1,
    metadata: {
      timestamp: iso(committedAt),
      component: {
        ...own,
        description: packageJson.description,
        licenses: licensesOf(packageJson.license),
        properties: [{ name: 'redoubt:commit', value: commit }],
      },
    },
    components: [bun, ...others],
    dependencies: [{ ref: own['bom-ref'], dependsOn: refs }, ...refs.map((ref) => ({ ref }))],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

const componentOf = (type: string, name: string, version: string, purl: string) => ({
  type,
  'bom-ref': purl,
  name,
  version,
  purl,
});

function bunComponent(versions: SbomParts['runtimeVersions']) {
  const bun = versions.bun ?? '';
  const libraries = IN_BUN.map((name) => {
    const version = versions[name] ?? '';
    return componentOf('library', name, version, `pkg:generic/${name}@${version}`);
  });
  return {
    ...componentOf('framework', 'bun', bun, `pkg:github/oven-sh/bun@bun-v${bun}`),
    licenses: licensesOf('MIT'),
    components: libraries,
  };
}

function packageComponent({ name, version, license }: ContainedPackage, pinned: SbomParts['pinned']) {
  const [, integrity = ''] = pinned.get(`${name}@${version}`)?.integrity.split('-') ?? [];
  const [, scope, bare = name] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${scope === undefined ? '' : `%40${scope}/`}${bare}@${version}`;
  return {
    ...componentOf('library', bare, version, purl),
    ...(scope === undefined ? {} : { group: `@${scope}` }),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity, 'base64').toString('hex') }],
    licenses: licensesOf(license),
  };
}

const debianComponent = (pin: DebianPin) => ({
  ...componentOf('library', pin.name, pin.version, purlOf(pin)),
  hashes: [{ alg: 'SHA-256', content: pin.sha256 }],
  licenses: licensesOf(pin.license),
});

/** An expression has blanks; a license by itself has none. */
const licensesOf = (license: string) =>
  license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }];

/** The same text has the same one: a UUID of version 8, whose bits are its maker's own (RFC 9562). */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
