import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importDemoFeeds } from '../../src/cli/demo-vulnerabilities.ts';
import { importFeeds } from '../../src/cli/vulns-import-feeds.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { type Store, withStore } from '../../src/terminal/store.ts';
import type { RunningService } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

async function beside(
  { env }: RunningService,
  use: (store: Store, directory: string) => Promise<unknown>,
): Promise<void> {
  const config = loadConfig(env, { secrets: false });
  await withStore(config, (store) => use(store, config.dataDir));
}

/** Imports the fictitious vulnerabilities of the demonstration next to a running service, as if at a given moment. */
export const importDemo = (service: RunningService, now = Date.now()): Promise<void> =>
  beside(service, (store, directory) => importDemoFeeds(store, directory, now));

/** Imports records of OSV next to a running service, as a source of that name, as if at a given moment. */
export const importRecords = (
  service: RunningService,
  source: string,
  records: readonly object[],
  now = Date.now(),
): Promise<void> =>
  beside(service, (store, directory) => {
    const path = join(temporaryDirectory(), 'osv.json');
    writeFileSync(path, JSON.stringify(records));
    const act = { actor: 'system' as const, now };
    return importFeeds(store, { directory, feeds: [{ path, source }], force: true, dryRun: false, act });
  });
