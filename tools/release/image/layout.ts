import { createHash } from 'node:crypto';
import { iso } from '../../../src/lib/clock.ts';
import { type OpenFolder, type Packed, tarOf } from '../archive.ts';
import { deflated } from '../deb.ts';
import type { DebianArchitecture } from '../debian-package.ts';

// An image layout (OCI image-spec 1.1, "image-layout"): blobs by their hashes, and an index of the images of all architectures.

const MEDIA = 'application/vnd.oci.image';
const BLOBS = 'blobs/sha256';

export interface Layer {
  readonly files: readonly Packed[];
  readonly openFolders?: readonly OpenFolder[];
  /** How it came about, for people. */
  readonly comment: string;
}

export interface Image {
  readonly architecture: DebianArchitecture;
  readonly layers: readonly Layer[];
  readonly annotations: Readonly<Record<string, string>>;
}

export interface LayoutParts {
  readonly version: string;
  /** In milliseconds since the Unix epoch; everything in the layout is of this moment. */
  readonly committedAt: number;
  /** How containers run: user, command, environment and so on. */
  readonly settings: { readonly Labels: Readonly<Record<string, string>>; readonly [name: string]: unknown };
  readonly images: readonly Image[];
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly [name: string]: unknown;
}

/** The files of the layout, for one tar. */
export function layoutOf({ version, committedAt, settings, images }: LayoutParts): Packed[] {
  const blobs = new Map<string, Uint8Array>();
  const blob = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const hash = sha256(bytes);
    blobs.set(`${BLOBS}/${hash}`, bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const json = (kind: string, value: object) =>
    blob(`${MEDIA}.${kind}.v1+json`, Buffer.from(JSON.stringify(value)));
  const seconds = Math.floor(committedAt / 1_000);
  const created = iso(committedAt);
  const manifests = images.map(({ architecture, layers, annotations }) => {
    const packed = layers.map(({ files, openFolders }) =>
      Buffer.concat([...tarOf(files, seconds, '', openFolders)]),
    );
    const config = json('config', {
      created,
      architecture,
      os: 'linux',
      config: settings,
      rootfs: { type: 'layers', diff_ids: packed.map((tar) => `sha256:${sha256(tar)}`) },
      history: layers.map(({ comment }) => ({ created, created_by: 'bun run release', comment })),
    });
    const manifest = json('manifest', {
      schemaVersion: 2,
      mediaType: `${MEDIA}.manifest.v1+json`,
      config,
      layers: packed.map((tar) => blob(`${MEDIA}.layer.v1.tar+gzip`, deflated(tar, seconds, 1))),
      annotations: { ...settings.Labels, ...annotations },
    });
    return { ...manifest, platform: { architecture, os: 'linux' } };
  });
  const index = json('index', {
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests,
    annotations: settings.Labels,
  });
  const entry = {
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [{ ...index, annotations: namesOf(version) }],
  };
  return [
    { path: 'oci-layout', bytes: Buffer.from(JSON.stringify({ imageLayoutVersion: '1.0.0' })) },
    { path: 'index.json', bytes: Buffer.from(JSON.stringify(entry)) },
    ...[...blobs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, bytes]) => ({ path, bytes })),
  ];
}

/** Of the image where it is loaded: whole for Podman and containerd, and its tag for others. */
const namesOf = (version: string) => ({
  'io.containerd.image.name': `localhost/redoubt:${version}`,
  'org.opencontainers.image.ref.name': version,
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
