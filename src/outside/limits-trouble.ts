import { Fault } from '../lib/fault.ts';

const CLUSTER = 'it is a cluster, which is not supported: name a server that stands alone';

/** By the code with which a server or the system refuses: what to do. */
const WORDS: Readonly<Record<string, string>> = {
  WRONGPASS: 'it refuses this user or password: correct SERVICE_LIMITS_URL',
  NOAUTH: 'it wants a password: name it in SERVICE_LIMITS_URL',
  NOPERM:
    'its user may not do what is needed: allow it +eval +evalsha +time +get +set +select and ~redoubt:*',
  OOM: 'its memory is used up: give it more, or another to what else is kept there',
  READONLY: 'it is a replica, which takes no changes: name the primary in SERVICE_LIMITS_URL',
  MISCONF: 'it takes no changes because it cannot save them: look at its log, or switch saving off',
  LOADING: 'it is starting',
  CROSSSLOT: CLUSTER,
  CLUSTERDOWN: CLUSTER,
  MOVED: CLUSTER,
  ENOTFOUND: 'its host is not known here: correct SERVICE_LIMITS_URL',
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is not that of this host: correct one of them',
};
const NO_DATABASE = /^ERR (?:DB index|invalid DB|SELECT is not allowed)/i;
/** All other TLS errors mean that the certificate is signed by no trusted authority. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_.*)$/;

/** Why a server does not count, in words for the log, with nothing of what the server or the address said. */
export function worded(error: unknown): Fault {
  const { code, message = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // What a script met stands somewhere in what older servers say of it.
  const known = WORDS[code ?? ''] ?? WORDS[Object.keys(WORDS).find((word) => message.includes(word)) ?? ''];
  if (known !== undefined) return new Fault(known, { cause: error });
  if (NO_DATABASE.test(message))
    return new Fault('it has no such database: correct the number in SERVICE_LIMITS_URL', { cause: error });
  if (code !== undefined && UNTRUSTED.test(code))
    return new Fault(
      'its certificate is signed by nobody who is trusted here: name who has signed it by SERVICE_LIMITS_CA',
      { cause: error },
    );
  return new Fault('it cannot be reached', { cause: error });
}
