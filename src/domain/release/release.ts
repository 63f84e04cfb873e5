import valid from 'semver/functions/valid.js';
import { DAY_MS, iso } from '../../lib/clock.ts';

/** The content of a release's trusted comment in each of its signatures. */
export interface Release {
  /** By SemVer. */
  readonly version: string;
  /** Grows from release to release: the moment of the commit in seconds since the Unix epoch. */
  readonly serial: number;
  /** The moment of the commit, in milliseconds since the Unix epoch. */
  readonly builtAt: number;
  /** The time from which it must not be installed, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** What the file is for. */
  readonly target: ReleaseTarget;
}

/** `any` is what goes with every platform: the sums, and the kit. */
export const RELEASE_TARGETS = ['linux-x64', 'linux-arm64', 'any'] as const;
export type ReleaseTarget = (typeof RELEASE_TARGETS)[number];

/** An attacker who withholds newer releases can pass an old one off as the newest for this long. */
const LIFE_DAYS = 730;

/** The signed facts of a commit's release. */
export const releaseOf = (version: string, committedAt: number, target: ReleaseTarget): Release => ({
  version,
  serial: Math.floor(committedAt / 1_000),
  builtAt: committedAt,
  expiresAt: committedAt + LIFE_DAYS * DAY_MS,
  target,
});

export const releaseComment = ({ version, serial, builtAt, expiresAt, target }: Release): string =>
  `redoubt ${version} serial:${serial} built:${iso(builtAt)} expires:${iso(expiresAt)} target:${target}`;

const COMMENT =
  /^redoubt (?<version>\S{1,100}) serial:(?<serial>\d{1,15}) built:(?<built>\S{24}) expires:(?<expires>\S{24}) target:(?<target>\S+)$/;

/** Reads such a comment; undefined for an invalid one. */
export function releaseIn(comment: string): Release | undefined {
  const { version = '', serial, built = '', expires = '', target } = COMMENT.exec(comment)?.groups ?? {};
  const known = RELEASE_TARGETS.find((name) => name === target);
  if (known === undefined || valid(version) !== version) return undefined;
  const [builtAt, expiresAt] = [Date.parse(built), Date.parse(expires)];
  if (Number.isNaN(builtAt) || Number.isNaN(expiresAt)) return undefined;
  const release = { version, serial: Number(serial), builtAt, expiresAt, target: known };
  // Only the canonical form is valid.
  return releaseComment(release) === comment ? release : undefined;
}
