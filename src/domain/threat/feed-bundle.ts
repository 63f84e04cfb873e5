import { createPublicKey, type KeyObject } from 'node:crypto';
import { iso } from '../../lib/clock.ts';
import { kidOf } from '../signing/ed25519-key.ts';

/** The signed facts of a bundle, in addition to its bytes. */
export interface FeedBundle {
  /** The key that has signed it: see {@link installationOf}. */
  readonly installation: string;
  /** Grows with every changed feed of an installation. */
  readonly serial: number;
  /** Of the feed. */
  readonly epoch: number;
  /** From when on it does not count any more, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** The only form that there is. */
const FORMAT = 1;

/**
 * The name of an installation in its bundles: that of the key which signs them, so that no bundle can name another one.
 *
 * @param key of Ed25519, either half
 */
export function installationOf(key: KeyObject): string {
  const { x = '' } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return kidOf(Buffer.from(x, 'base64url'));
}

export const bundleComment = ({ installation, serial, epoch, expiresAt }: FeedBundle): string =>
  `redoubt-feed format:${FORMAT} installation:${installation} serial:${serial} epoch:${epoch} expires:${iso(expiresAt)}`;

const COMMENT =
  /^redoubt-feed format:1 installation:(?<installation>[0-9a-f]{16}) serial:(?<serial>\d{1,15}) epoch:(?<epoch>\d{1,15}) expires:(?<expires>\S{24})$/;

/** Reads such a comment; undefined for what is none, or is of a newer form. */
export function bundleIn(comment: string): FeedBundle | undefined {
  const { installation = '', serial, epoch, expires = '' } = COMMENT.exec(comment)?.groups ?? {};
  const expiresAt = Date.parse(expires);
  if (Number.isNaN(expiresAt)) return undefined;
  const bundle = { installation, serial: Number(serial), epoch: Number(epoch), expiresAt };
  // Written again, it shows whether it was in the one form that there is.
  return bundleComment(bundle) === comment ? bundle : undefined;
}
