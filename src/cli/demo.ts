import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, Environment } from '../settings/config.ts';
import { welcomePath } from '../settings/console-address.ts';
import { makeInstallation } from '../storage/installation/installation.ts';
import { CommandRefused, print } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { type Demo, seedDemo } from './demo/seed.ts';

/** The environment of a demonstration: a database of its own unless one is named, and the feed switched on. */
export function demoEnvironment(environment: Environment): Environment {
  const named = environment.SERVICE_DATA_DIR;
  return {
    SERVICE_THREAT_FEED_ENABLED: '1',
    // Its licenses are new, and a demonstration must not need a day for them to count.
    SERVICE_FEED_MIN_AGE_HOURS: '0',
    // Its data are thrown away.
    SERVICE_BACKUP_WARN_HOURS: '0',
    ...environment,
    SERVICE_DATA_DIR: named || temporaryDirectory(),
  };
}

const TEMPORARY = join(tmpdir(), 'redoubt-demo-');
const isTemporary = (directory: string): boolean => directory.startsWith(TEMPORARY);

/** A directory that goes when the process ends. */
function temporaryDirectory(): string {
  const directory = mkdtempSync(TEMPORARY);
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * Creates a database in an empty directory and fills it with sample data. Rejects even the directory of an earlier
 * demonstration: its keys are not stored, so each time would need more licenses.
 *
 * @throws CommandRefused when the directory is not empty, or another database is named
 */
export function makeDemo(config: Config): Promise<Demo> {
  if (entriesOf(config.dataDir).length > 0) {
    throw new CommandRefused(
      `${config.dataDir} is not empty. serve --demo requires an empty directory: unset SERVICE_DATA_DIR, or name another`,
    );
  }
  if (config.databaseUrl !== undefined)
    throw new CommandRefused('serve --demo uses its own database. Unset SERVICE_DATABASE_URL');
  makeInstallation(config.dataDir);
  return withStore(config, (store) => seedDemo(store, config.dataDir));
}

/** Empty for a missing or unreadable directory: creating a file there reports the error. */
function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Where a running demonstration is found. */
interface DemoPlaces {
  readonly dataDir: string;
  readonly url: string;
  /** Of the console; undefined without one. */
  readonly adminUrl: string | undefined;
}

/** What to try first, ready to click and to paste. */
export function printDemo(
  { url, adminUrl, dataDir }: DemoPlaces,
  { key, domain, siteId, linkSecret }: Demo,
): void {
  const bearer = `-H 'Authorization: Bearer ${key}'`;
  const lines = [
    ...(adminUrl === undefined
      ? []
      : [`Console        ${adminUrl}${welcomePath(linkSecret)}  (valid for 24 hours)`]),
    `Portal         ${url}/portal`,
    `License key    ${key}`,
    `API reference  ${url}/docs`,
    `Handbook       ${url}/docs/handbook`,
    `Data           ${dataDir}${isTemporary(dataDir) ? '  (deleted when it ends)' : ''}`,
  ];
  print(`
Redoubt is running with sample data.

${lines.map((line) => `  ${line}`).join('\n')}

  curl -sw '\\n' ${url}/api/v1/license/verify -d '{"api_key":"${key}","domain":"${domain}"}'
  curl -sw '\\n' ${url}/api/v1/sites/${siteId}/vulnerabilities ${bearer}

Press Ctrl+C to stop.
`);
}
