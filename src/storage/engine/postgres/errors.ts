import { DatabaseError } from 'pg';

/**
 * Codes of PostgreSQL that tell of the server rather than of a statement (appendix A of its manual). Rights that are missing are its
 * administrator's to grant.
 */
const OF_THE_SERVER =
  /^(?:08...|28...|3D000|53...|57P..|58...|25006|25P03|57014|55P03|40001|40P01|0A000|42501)$/;

/**
 * Whether a statement failed because the server could not be reached, went away, did not answer in time or serves no changes:
 * then the same may work on another connection, a moment later.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  // A code alone does not tell: EPIPE, of a socket, has the form of PostgreSQL's.
  if (error instanceof DatabaseError) return OF_THE_SERVER.test(error.code ?? '');
  return error.cause === undefined || isConnectionLost(error.cause);
}
