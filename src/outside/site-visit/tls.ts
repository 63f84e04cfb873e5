import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { TlsFacts } from '../../domain/surface/visit.ts';

/** What a runtime may call a certificate that is sound but made for another name. */
const NAME_PROBLEM = 'ERR_TLS_CERT_ALTNAME_INVALID';

/**
 * Speaks TLS over an open connection. Nothing secret is sent, so a certificate that nobody should trust is
 * looked at all the same: it becomes a finding.
 *
 * @param host as in a URL
 * @returns undefined when no handshake succeeds
 */
export async function startTls(
  socket: Socket,
  host: string,
): Promise<{ stream: TLSSocket; facts: TlsFacts } | undefined> {
  const name = host.replace(/^\[|\]$/g, '');
  const stream = connect({
    socket,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
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
