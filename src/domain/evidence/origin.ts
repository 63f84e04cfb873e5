/** What a log is, whatever checkpoints call it. */
export interface LogName {
  /** Chance, which tells nothing of the license. */
  readonly publicId: string;
  /** 1, or the one after that of the log that it continues. */
  readonly number: number;
}

const WITHOUT_HOST = 'redoubt';

/**
 * What checkpoints call a log: an address without a scheme (c2sp.org/tlog-checkpoint).
 *
 * @param baseUrl the public address of this service, if it is known
 */
export function logOrigin({ publicId, number }: LogName, baseUrl: string | undefined): string {
  const host = baseUrl === undefined ? WITHOUT_HOST : new URL(baseUrl).host;
  return `${host}/evidence/${publicId}${number === 1 ? '' : `/${number}`}`;
}
