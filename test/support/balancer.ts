import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tlsSettings } from './certificate.ts';
import { freePort } from './free-port.ts';
import { until } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

/** A balancer with the configuration in docs/scaling/, other addresses and another certificate. */
export interface Balancer {
  readonly url: string;
  end(): Promise<void>;
}

export const BALANCERS = ['nginx', 'haproxy'] as const;
export type BalancerName = (typeof BALANCERS)[number];

const SAMPLES = join(import.meta.dir, '../../docs/scaling');
/** A user who became root by `su` may lack their folder. */
const PATH = `${process.env.PATH}:/usr/sbin`;
const ADDRESS = /192\.0\.2\.1(\d):8080/g;

export const pathOf = (name: BalancerName): string | null => Bun.which(name, { PATH });

/** @param nodes three addresses, as URLs */
export async function startBalancer(name: BalancerName, nodes: readonly string[]): Promise<Balancer> {
  const folder = temporaryDirectory();
  const port = await freePort();
  const { SERVICE_TLS_CERT: certificate, SERVICE_TLS_KEY: key } = tlsSettings();
  const placed = (sample: string) =>
    readFileSync(join(SAMPLES, sample), 'utf8').replace(
      ADDRESS,
      (_, place) => new URL(nodes[Number(place) - 1] ?? '').host,
    );
  const file = join(folder, 'balancer.conf');
  if (name === 'nginx') {
    const sample = placed('nginx.conf')
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('/etc/nginx/redoubt.pem', certificate)
      .replace('/etc/nginx/redoubt.key', key);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (what) => `${what}_temp_path ${folder}/${what};`,
    );
    writeFileSync(
      file,
      [
        ...(process.getuid?.() === 0 ? ['user root;'] : []),
        `daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;`,
        `events { worker_connections 1000; } http { access_log off; ${places.join(' ')}`,
        sample,
        '}',
      ].join('\n'),
    );
  } else {
    const both = join(folder, 'both.pem');
    writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
    const sample = placed('haproxy.cfg')
      .replace(':443', `127.0.0.1:${port}`)
      .replace('/etc/haproxy/redoubt.pem', both);
    writeFileSync(file, sample);
  }
  const args = name === 'nginx' ? ['-c', file, '-e', join(folder, 'error.log')] : ['-W', '-f', file];
  const child = spawn(pathOf(name) ?? name, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `https://localhost:${port}`;
  await until(
    () =>
      fetch(`${url}/readyz`, { tls: { rejectUnauthorized: false } }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    10_000,
    () => output,
  );
  return { url, end: () => ended(child) };
}

function ended(child: ChildProcess): Promise<void> {
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  return over;
}
