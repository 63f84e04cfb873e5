import { Fault } from '../lib/fault.ts';

const CLUSTER = 'it is a cluster, which is not supported. Use a standalone server';

/** Problem and remedy by error code of the server or of the operating system. */
const WORDS: Readonly<Record<string, string>> = {
  WRONGPASS: 'it refuses this user or password. Correct SERVICE_LIMITS_URL',
  NOAUTH: 'it requires a password. Add it to SERVICE_LIMITS_URL',
  NOPERM: 'its user lacks permissions. Grant +eval +evalsha +time +get +set +select and ~redoubt:*',
  OOM: 'it is out of memory. Raise its limit, or move other data elsewhere',
  READONLY: 'it is a replica, which is read-only. Name the primary in SERVICE_LIMITS_URL',
  MISCONF: 'it refuses writes because it cannot save them. See its log, or turn off persistence',
  LOADING: 'it is starting',
  CROSSSLOT: CLUSTER,
  CLUSTERDOWN: CLUSTER,
  MOVED: CLUSTER,
  ENOTFOUND: 'unknown host. Correct SERVICE_LIMITS_URL',
  CERT_HAS_EXPIRED: 'its certificate has expired. Renew it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host. Correct the certificate or the address',
};
const NO_DATABASE = /^ERR (?:DB index|invalid DB|SELECT is not allowed)/i;
/** The other TLS errors, which mean that no trusted CA signed the certificate. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_.*)$/;

/** Converts an error into a fault for the log. It contains no text of the server and no part of the address. */
export function worded(error: unknown): Fault {
  const { code, message = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // Older servers report an error inside a script with the code somewhere in the message.
  const known = WORDS[code ?? ''] ?? WORDS[Object.keys(WORDS).find((word) => message.includes(word)) ?? ''];
  if (known !== undefined) return new Fault(known, { cause: error });
  if (NO_DATABASE.test(message))
    return new Fault('it has no such database. Correct the number in SERVICE_LIMITS_URL', { cause: error });
  if (code !== undefined && UNTRUSTED.test(code))
    return new Fault('its certificate is not signed by a trusted CA. Name the CA in SERVICE_LIMITS_CA', {
      cause: error,
    });
  return new Fault('it is unreachable', { cause: error });
}
