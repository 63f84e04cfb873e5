import type { Duplex } from 'node:stream';
import { isNotifiable } from '../../domain/surface/address.ts';
import type { TlsFacts } from '../../domain/surface/visit.ts';
import { createAddressCache } from '../site-visit/addresses.ts';
import { dialFirst } from '../site-visit/dial.ts';
import type { Network } from '../site-visit/network.ts';
import { startTls, type TlsTerms } from '../site-visit/tls.ts';
import type { ConnectionProblem } from './outcomes.ts';

/** The network address of a receiver. */
export interface Receiver {
  /** Host name or address, as in a URL. */
  readonly host: string;
  readonly port: number;
  /** Undefined = without TLS. */
  readonly tls: TlsTerms | undefined;
}

export interface ReceiverRules {
  readonly network: Network;
  /** Whether private networks may be reached. */
  readonly allowPrivate: boolean;
}

const VALIDITY_PROBLEMS = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'];

/**
 * Connects to a receiver. Resolves its name once, checks all addresses, and connects to one of these.
 *
 * @param ended aborts the attempt and closes the connection
 */
export async function connectTo(
  { host, port, tls }: Receiver,
  { network, allowPrivate }: ReceiverRules,
  ended: AbortSignal,
): Promise<Duplex | ConnectionProblem> {
  const known = createAddressCache(network.lookup, (address) => isNotifiable(address, allowPrivate));
  const addresses = await known.of(host);
  if (typeof addresses === 'string')
    return addresses === 'forbidden_address' ? 'forbidden_address' : 'unresolvable';
  const dialled = await dialFirst(network, { addresses, port }, ended);
  if (dialled === undefined) return 'unreachable';
  const { socket } = dialled;
  socket.setNoDelay(true);
  if (tls === undefined) return socket;
  const secured = await startTls(socket, host, tls);
  if (secured === undefined) return 'tls_failed';
  const problem = certificateProblem(secured.facts);
  if (problem === undefined) return secured.stream;
  secured.stream.destroy();
  socket.destroy();
  return problem;
}

function certificateProblem({ chainProblem, matchesHost, validFrom, validTo }: TlsFacts) {
  const now = Date.now();
  if (VALIDITY_PROBLEMS.includes(chainProblem ?? '') || now < validFrom || now > validTo) return 'expired';
  if (chainProblem !== null) return 'untrusted';
  return matchesHost ? undefined : 'wrong_name';
}
