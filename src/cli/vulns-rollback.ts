import type { Command } from 'commander';
import { rollBackVulnerabilities } from '../operator/rollback-vulnerabilities.ts';
import type { Config } from '../settings/config.ts';
import { lockSnapshots } from '../storage/engine/data-directory.ts';
import { sharedSnapshots } from '../storage/mirror/shared-snapshots.ts';
import { readMirrorState } from '../storage/vulnerabilities/mirror-state.ts';
import { type ActOptions, actNow, reasonOption } from '../terminal/act.ts';
import { print, printJson } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';

/** `vulns rollback`: from one snapshot to the one before it. */
export function addRollbackCommand(vulns: Command, settings: () => Config): void {
  vulns
    .command('rollback')
    .description('go back to the previous import; a running server does so at once')
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt vulns rollback --reason "half of the feed is missing"')
    .action(({ json, ...options }: ActOptions & { json?: true }) =>
      withStore(settings(), async (store) => {
        const { from, to } = await rollBack(store, settings().dataDir, options);
        if (json) printJson({ snapshot_id: to, before: from });
        else print(`snapshot ${to} is active instead of ${from}`);
      }),
    );
}

async function rollBack(store: Store, directory: string, options: ActOptions) {
  const release = lockSnapshots(directory);
  try {
    const read = readMirrorState(store.db);
    const state = await read();
    const files = sharedSnapshots(store.db, directory);
    for (const { id } of state.kept) await files.fetch(id);
    // Checking a snapshot takes long, so it happens outside the transaction. A change of the mirror in between makes the switch
    // fail.
    const plan = rollBackVulnerabilities(directory, state, actNow(options));
    await store.act(() => plan);
    return { from: state.current, to: (await read()).current };
  } finally {
    release();
  }
}
