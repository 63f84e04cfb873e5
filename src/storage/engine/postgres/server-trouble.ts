import { DatabaseError } from 'pg';

/** Errors in the address or the user, by the code of the server or the system: waiting would not help. */
const WRONG: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses this user or password. Correct them',
  '28000': 'the server does not allow this user. Check its pg_hba.conf',
  '3D000': 'the server has no such database. Create it first, for example with createdb',
  '3F000':
    'no schema of the search_path exists or is usable. Run CREATE SCHEMA, or GRANT USAGE, CREATE ON SCHEMA, to this user',
  '42501': 'this user lacks permissions. Make it the owner of the database',
  ENOTFOUND: 'unknown host. Correct its name',
  CERT_HAS_EXPIRED: "the server's certificate has expired. Renew it",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the server's certificate is for another host. Correct the certificate or the address",
};
/** All other TLS errors mean that the certificate is signed by no trusted authority. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_.*|CERT_.*)$/;
const NO_TLS = /does not support SSL/;
const NO_ROLE = /^role ".*" does not exist$/;
const NO_LOGIN = /^role ".*" is not permitted to log in$/;
/** The object in a server's refusal: the name of one of our tables, or of a schema. */
const DENIED = /^permission denied for (?:table|schema|sequence|function|database) \w{1,63}$/;

/** Why a server does not serve for now, by its code: that passes, or an operator changes it there. */
const REFUSING: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database server is full. Free some space there',
  '53200': 'the database server is out of memory',
  '53300':
    'the database server accepts no more connections. Raise max_connections, or the limit of this role or database, or close some',
  '57014': 'the database server cancelled a statement. Check statement_timeout of this role and database',
  '57P03': 'the database server is starting, stopping or recovering',
  '25006': 'the database is read-only. Check default_transaction_read_only, or name the primary',
  '0A000': 'the server is a standby. Promote it, or name the primary',
};

/** The error in an address or user, for the operator; undefined when the database is only unavailable. */
export function wrongIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as NodeJS.ErrnoException;
  if (NO_TLS.test(message))
    return 'the server does not support TLS, which is required over a network. Enable it';
  if (NO_ROLE.test(message))
    return 'the server has no such role. Create it first, for example with createuser';
  if (NO_LOGIN.test(message)) return 'this role cannot log in. Run ALTER ROLE ... LOGIN';
  if (code !== undefined && UNTRUSTED.test(code) && WRONG[code] === undefined)
    return "the server's certificate is not signed by a trusted CA. Set SERVICE_DATABASE_CA to its CA";
  return WRONG[code ?? ''] ?? wrongIn(error.cause);
}

/** Why a reachable server refuses, for the operator; undefined when it gave no reason. */
export function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!(error instanceof DatabaseError)) return refusalIn(error.cause);
  if (DENIED.test(error.message)) return `the database server refuses its user: ${error.message}`;
  return REFUSING[error.code ?? ''];
}
