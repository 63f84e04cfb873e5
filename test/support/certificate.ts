import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary.ts';

/** Settings of a service with TLS and a generated certificate. */
export function tlsSettings(): { SERVICE_TLS_CERT: string; SERVICE_TLS_KEY: string } {
  const directory = temporaryDirectory();
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const making =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost';
  execFileSync('openssl', [...making.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key };
}

/** Replaces a certificate by one that expired yesterday. */
export function expire(tls: ReturnType<typeof tlsSettings>): void {
  const { SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key } = tls;
  const signing = ['x509', '-in', cert, '-signkey', key, '-days', '-1', '-out', cert];
  execFileSync('openssl', signing, { stdio: 'ignore' });
}
