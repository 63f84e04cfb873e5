import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { TlsFacts } from '../../domain/surface/visit.ts';

/** Reported for a valid certificate that was issued for another name. */
const NAME_PROBLEM = 'ERR_TLS_CERT_ALTNAME_INVALID';

export interface TlsTerms {
  /** ALPN protocols that the client offers; by default HTTP/1.1. */
  readonly protocols?: readonly string[];
  /** PEM certificates to trust; undefined = those of the system. */
  readonly ca?: string | undefined;
}

/**
 * Starts TLS on an open connection. Accepts untrusted certificates: for a site they become findings; other callers must check the
 * facts before they send anything.
 *
 * @param host as in a URL
 * @returns undefined if the handshake fails
 */
export async function startTls(
  socket: Socket,
  host: string,
  { protocols = ['http/1.1'], ca }: TlsTerms = {},
): Promise<{ stream: TLSSocket; facts: TlsFacts } | undefined> {
  const name = host.replace(/^\[|\]$/g, '');
  const stream = connect({
    socket,
    rejectUnauthorized: false,
    ...(protocols.length > 0 ? { ALPNProtocols: [...protocols] } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(isIP(name) ? {} : { servername: name }),
  });
  stream.on('error', () => {});
  try {
    await once(stream, 'secureConnect');
    return { stream, facts: factsOf(stream, name) };
  } catch {
    stream.destroy();
    return undefined;
  }
}

function factsOf(stream: TLSSocket, name: string): TlsFacts {
  const { raw } = stream.getPeerCertificate();
  const certificate = new X509Certificate(raw);
  const problem = stream.authorized ? null : codeOf(stream.authorizationError);
  return {
    protocol: stream.getProtocol() ?? 'unknown',
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    matchesHost: isIP(name)
      ? certificate.checkIP(name) !== undefined
      : namesHost(certificate.subjectAltName ?? '', name),
    selfSigned: certificate.issuer === certificate.subject,
    chainProblem: problem === NAME_PROBLEM ? null : problem,
  };
}

/**
 * Matches names as browsers do (RFC 9525): a wildcard is one whole label, and the common name is ignored. The `checkHost`
 * implementations of the runtimes differ in both.
 *
 * @param names as formatted by the runtimes: `DNS:shop.com, DNS:*.shop.com, IP Address:...`
 */
function namesHost(names: string, host: string): boolean {
  const wanted = [`dns:${host}`, `dns:*${host.slice(host.indexOf('.'))}`];
  return names.split(', ').some((name) => wanted.includes(name.toLowerCase()));
}

/** The type says Error, but Node sets the code as a string. */
function codeOf(problem: Error | string | undefined): string {
  const code = typeof problem === 'object' ? (problem as { code?: unknown }).code : problem;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'UNKNOWN';
}
