import { DatabaseError } from 'pg';

/**
 * PostgreSQL's error codes about the server rather than a statement (appendix A of its manual). Missing rights are its
 * administrator's to grant.
 */
const OF_THE_SERVER =
  /^(?:08...|28...|3D000|53...|57P..|58...|25006|25P03|57014|55P03|40001|40P01|0A000|42501)$/;

/**
 * Whether a statement failed because the server was unreachable, stopped, did not answer in time or is read-only: a retry on
 * another connection may succeed.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  // The code alone is not enough: EPIPE, of a socket, has the form of PostgreSQL's.
  if (error instanceof DatabaseError) return OF_THE_SERVER.test(error.code ?? '');
  return error.cause === undefined || isConnectionLost(error.cause);
}
