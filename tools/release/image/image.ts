import packageJson from '../../../package.json' with { type: 'json' };
import { SECOND_MS } from '../../../src/lib/clock.ts';
import type { Packed } from '../archive.ts';
import type { DebianArchitecture } from '../debian-package.ts';
import { DEBIAN_RELEASE, pinsFor, purlOf } from './debian-lock.ts';
import type { Unpacked } from './fetch-debian.ts';
import { layoutOf } from './layout.ts';
import { baseFiles, IMAGE_EXECUTABLE, IMAGE_USER, IMAGE_VOLUME, OPEN_FOLDERS } from './root.ts';

export interface ImageParts {
  readonly version: string;
  /** By its full hash. */
  readonly commit: string;
  /** In milliseconds since the Unix epoch. */
  readonly committedAt: number;
  readonly executables: readonly { readonly architecture: DebianArchitecture; readonly bytes: Uint8Array }[];
  /** Of this service and of what is in its executable. */
  readonly licenses: string;
  /** Of an image. */
  readonly sbom: string;
}

/** The files of the container image for all platforms, as an OCI layout. */
export const imageLayout = (parts: ImageParts, unpacked: Unpacked): Packed[] =>
  layoutOf({
    version: parts.version,
    committedAt: parts.committedAt,
    settings: settingsOf(parts),
    images: parts.executables.map(({ architecture, bytes }) => ({
      architecture,
      // The executable is above the libraries, which change less often.
      layers: [
        {
          files: baseFiles(architecture, pinsFor(architecture), unpacked),
          openFolders: OPEN_FOLDERS,
          comment: `libraries and certificates of Debian ${DEBIAN_RELEASE}`,
        },
        { files: ownFiles(bytes, parts), comment: `redoubt ${parts.version}` },
      ],
      annotations: { 'redoubt.libraries': pinsFor(architecture).map(purlOf).join(' ') },
    })),
  });

const ownFiles = (executable: Uint8Array, { licenses, sbom }: ImageParts): Packed[] => [
  { path: IMAGE_EXECUTABLE.slice(1), bytes: executable, isProgram: true },
  { path: 'usr/share/doc/redoubt/copyright', bytes: Buffer.from(licenses) },
  { path: 'usr/share/doc/redoubt/sbom.cdx.json', bytes: Buffer.from(sbom) },
];

/** Durations of Docker are in nanoseconds. */
const NANOSECONDS = 1_000_000;

const settingsOf = ({ version, commit, committedAt }: ImageParts) => ({
  User: String(IMAGE_USER),
  ExposedPorts: { '8080/tcp': {} },
  Env: [
    'PATH=/usr/bin',
    `SERVICE_DATA_DIR=${IMAGE_VOLUME}`,
    'SERVICE_HOST=0.0.0.0',
    // As images for systemd name themselves: what is wrong with a volume is then said in words of containers.
    'container=oci',
  ],
  Entrypoint: [IMAGE_EXECUTABLE],
  Cmd: ['serve'],
  Volumes: { [IMAGE_VOLUME]: {} },
  WorkingDir: '/',
  StopSignal: 'SIGTERM',
  // No field of OCI; Docker reads it.
  Healthcheck: {
    Test: ['CMD', IMAGE_EXECUTABLE, 'healthy'],
    Interval: 30 * SECOND_MS * NANOSECONDS,
    Timeout: 10 * SECOND_MS * NANOSECONDS,
    StartPeriod: 60 * SECOND_MS * NANOSECONDS,
    Retries: 3,
  },
  Labels: {
    'org.opencontainers.image.created': new Date(committedAt).toISOString(),
    'org.opencontainers.image.description': packageJson.description,
    'org.opencontainers.image.licenses': packageJson.license,
    'org.opencontainers.image.revision': commit,
    'org.opencontainers.image.title': 'redoubt',
    'org.opencontainers.image.vendor': packageJson.author.replace(/ <.*/, ''),
    'org.opencontainers.image.version': version,
  },
});
