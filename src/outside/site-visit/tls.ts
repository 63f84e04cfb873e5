import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { TlsFacts } from '../../domain/surface/visit.ts';

/** What a runtime may call a certificate that is sound but made for another name. */
const NAME_PROBLEM = 'ERR_TLS_CERT_ALTNAME_INVALID';

export interface TlsTerms {
  /** What the client offers to speak; by default HTTP/1.1. */
  readonly protocols?: readonly string[];
  /** PEM certificates to trust; undefined = those of the system. */
  readonly ca?: string | undefined;
}

/**
 * Speaks TLS over an open connection, also with an untrusted certificate: of a site it becomes a finding, and others
 * must check the facts before they send anything.
 *
 * @param host as in a URL
 * @returns undefined when no handshake succeeds
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
 * As browsers match (RFC 9525): a wildcard is one whole label, and the common name does not count. By hand, because
 * the runtimes' own `checkHost` differ in both.
 *
 * @param names as the runtimes show them: `DNS:shop.com, DNS:*.shop.com, IP Address:...`
 */
function namesHost(names: string, host: string): boolean {
  const wanted = [`dns:${host}`, `dns:*${host.slice(host.indexOf('.'))}`];
  return names.split(', ').some((name) => wanted.includes(name.toLowerCase()));
}

/** Typed as an Error, but Node sets the bare code. */
function codeOf(problem: Error | string | undefined): string {
  const code = typeof problem === 'object' ? (problem as { code?: unknown }).code : problem;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'UNKNOWN';
}
