/** The identity of a log, independent of its name in checkpoints. */
export interface LogName {
  /** Random, so it reveals nothing about the license. */
  readonly publicId: string;
  /** 1, or the predecessor's number plus 1. */
  readonly number: number;
}

const WITHOUT_HOST = 'redoubt';

/**
 * The name of a log in checkpoints: an address without a scheme (c2sp.org/tlog-checkpoint).
 *
 * @param baseUrl the public address of this service, if it is known
 */
export function logOrigin({ publicId, number }: LogName, baseUrl: string | undefined): string {
  const host = baseUrl === undefined ? WITHOUT_HOST : new URL(baseUrl).host;
  return `${host}/evidence/${publicId}${number === 1 ? '' : `/${number}`}`;
}
