import { createHash } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import type { ContainedPackage } from './contents.ts';
import type { Sum } from './folder.ts';
import { DEBIAN_PINS, purlOf } from './image/debian-lock.ts';
import type { Pinned } from './lock.ts';
import { PLATFORMS } from './runtimes.ts';

/** Names of this kind of build and of its builder, which docs/releasing.md describes (RFC 4151). */
const RELEASE = 'tag:example.org,2026:redoubt/release';

export interface ProvenanceParts {
  readonly version: string;
  /** Of the source, whole. */
  readonly commitHash: string;
  /** Every file of the release. */
  readonly subjects: readonly Sum[];
  readonly packages: readonly ContainedPackage[];
  readonly pinned: ReadonlyMap<string, Pinned>;
  /** The files that pin all materials, by their paths in the source. */
  readonly lockFiles: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** What the files of a release were built of and how: an in-toto statement with a predicate of SLSA 1.0. */
export function provenanceOf(parts: ProvenanceParts): string {
  const { version, commitHash, subjects, packages, pinned, lockFiles } = parts;
  const npm = (name: string, version: string) => ({
    uri: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    digest: { sha512: hexOf(pinned.get(`${name}@${version}`)?.integrity) },
  });
  const bun = process.versions.bun ?? '';
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${RELEASE}/v1`,
        externalParameters: {
          command: ['npx', '-y', `bun@${packageJson.engines.bun}`, 'run', 'release'],
          version,
          commit: commitHash,
        },
        resolvedDependencies: [
          { name: 'source', uri: 'git:redoubt', digest: { gitCommit: commitHash } },
          ...lockFiles.map(({ path, bytes }) => ({
            name: path,
            digest: { sha256: createHash('sha256').update(bytes).digest('hex') },
          })),
          ...PLATFORMS.map((platform) => npm(platform.package, bun)),
          ...packages.map((contained) => npm(contained.name, contained.version)),
          ...DEBIAN_PINS.map((pin) => ({ uri: purlOf(pin), digest: { sha256: pin.sha256 } })),
        ],
      },
      runDetails: { builder: { id: RELEASE, version: { bun } } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** An integrity of npm is an algorithm and base64. */
const hexOf = (integrity = ''): string =>
  Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
