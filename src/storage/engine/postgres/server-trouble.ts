import { DatabaseError } from 'pg';

/** What is wrong with the address or the user, by the code of the server or the system: waiting would not help. */
const WRONG: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses this user or password: correct them',
  '28000': 'the server lets this user not in: look at its pg_hba.conf',
  '3D000': 'the server has no such database: make it first, for instance with createdb',
  '3F000':
    'no schema of the search_path is there, or may be used: CREATE SCHEMA, or GRANT USAGE, CREATE ON SCHEMA, to this user',
  '42501': 'this user may not do what is needed: make it the owner of the database',
  ENOTFOUND: 'its host is not known here: correct its name',
  CERT_HAS_EXPIRED: "the server's certificate has expired: renew it",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is not that of this host: correct one of them",
};
/** All other TLS errors mean that the certificate is signed by no trusted authority. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_.*|CERT_.*)$/;
const NO_TLS = /does not support SSL/;
const NO_ROLE = /^role ".*" does not exist$/;
const NO_LOGIN = /^role ".*" is not permitted to log in$/;
/** What a server names of what a user has no right to: a name of a table of ours, or of a schema. */
const DENIED = /^permission denied for (?:table|schema|sequence|function|database) \w{1,63}$/;

/** Why a server does not serve for now, by its code: that passes, or an operator changes it there. */
const REFUSING: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database server is full: free some room there',
  '53200': 'the database server is out of memory',
  '53300':
    'the database server takes no more connections: raise max_connections, or the limit of this role or database, or close some',
  '57014': 'the database server ended a statement: see statement_timeout of this role and database',
  '57P03': 'the database server is starting, stopping or recovering',
  '25006': 'the database is read-only: see default_transaction_read_only, or name the primary',
  '0A000': 'the server is a standby: promote it, or name the primary',
};

/** What an address or a user is wrong in, in words for the operator; undefined when the database is merely not there. */
export function wrongIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as NodeJS.ErrnoException;
  if (NO_TLS.test(message))
    return 'the server speaks no TLS, without which it is not asked over a network: switch it on';
  if (NO_ROLE.test(message))
    return 'the server has no such role: make it first, for instance with createuser';
  if (NO_LOGIN.test(message)) return 'this role may not log in: ALTER ROLE ... LOGIN';
  if (code !== undefined && UNTRUSTED.test(code) && WRONG[code] === undefined)
    return "the server's certificate is signed by no authority that is trusted here: set SERVICE_DATABASE_CA to its CA";
  return WRONG[code ?? ''] ?? wrongIn(error.cause);
}

/** Why a server that was reached does not do what it is asked, in words for the operator; undefined when it told nothing. */
export function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!(error instanceof DatabaseError)) return refusalIn(error.cause);
  if (DENIED.test(error.message)) return `the database server refuses its user: ${error.message}`;
  return REFUSING[error.code ?? ''];
}
