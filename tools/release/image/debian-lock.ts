import lock from './debian.lock.json' with { type: 'json' };

/** A package of Debian of which files are in the image. */
export interface DebianPin {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly sha256: string;
  /** By SPDX. */
  readonly license: string;
}

/** The file that pins them, in the source. */
export const DEBIAN_LOCK = 'tools/release/image/debian.lock.json';
export const DEBIAN_RELEASE = lock.release;
export const DEBIAN_PINS: readonly DebianPin[] = lock.packages;

/** The packages that the image of an architecture has files of. */
export const pinsFor = (architecture: string): readonly DebianPin[] =>
  DEBIAN_PINS.filter((pin) => pin.architecture === architecture || pin.architecture === 'all');

/** As apt names the file. */
export const fileNameOf = ({ name, version, architecture }: DebianPin): string =>
  `${name}_${version.replaceAll(':', '%3a')}_${architecture}.deb`;

/** As bills of materials and provenance name it (purl-spec, "deb"). */
export const purlOf = ({ name, version, architecture }: DebianPin): string =>
  `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${DEBIAN_RELEASE}`;
