import { readFileSync } from 'node:fs';

/** Requirements of a file that imports one of these files of test/support/. */
const BY_IMPORT: Readonly<Record<string, string>> = {
  'balancer.ts': 'nginx and HAProxy',
  'booted-host.ts': 'a host with systemd',
  'chromium.ts': 'Chromium',
  'copies.ts': 'PostgreSQL',
  'debian-postgres.ts': 'PostgreSQL',
  'every-step.ts': 'strace',
  'nodes.ts': 'PostgreSQL',
  'on-postgres.ts': 'PostgreSQL',
  'pgbouncer.ts': 'PgBouncer',
  'plugin.ts': 'PHP',
  'podman.ts': 'Podman',
  'postgres.ts': 'PostgreSQL',
  'received-mail.ts': 'Python',
  'site-check.ts': 'PHP',
  'small-disk.ts': 'a file system of its own',
  'syslog-receivers.ts': 'rsyslog',
  'unit.ts': 'systemd',
  'updates.ts': 'two releases',
  'valkey.ts': 'Valkey',
  'verify-releases.ts': 'a release',
};
/** Helpers that start many processes, processes of other users, or another build. */
const STARTS_OTHERS = /\b(?:binaryForOthers|runAlone|commandOf)\b|'(?:deno|next)'/;

/** The program that a test file needs in addition to Bun; undefined if none. */
export function needOf(path: string): string | undefined {
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(/from '[./]*support\/([\w-]+\.ts)'/g)].map(([, name = '']) => name);
  const need = imported.map((name) => BY_IMPORT[name]).find((known) => known !== undefined);
  return need ?? (STARTS_OTHERS.test(text) ? 'processes of its own' : /^\/\/ Needs (.+)\.$/m.exec(text)?.[1]);
}
