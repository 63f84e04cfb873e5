import { Type } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { as, runRelease } from './run-release.ts';
import type { UpdatedService } from './updated-service.ts';

const SETTINGS_MS_MAX = 2 * MINUTE_MS;
/** Copying, migrating and checking takes some seconds for each gigabyte. */
const MIGRATION_MS_MAX = 6 * HOUR_MS;
/** The exit code of a look that found something to do. */
const SOMETHING_TO_DO = 3;

/** What trying a release on this installation has shown. */
export interface Trial {
  readonly migration: { readonly from: number; readonly to: number; readonly seconds: number } | undefined;
}

/**
 * Tries a release on the settings and on a copy of the database, beside the running server.
 *
 * @throws Fault when it could not serve with them; nothing has changed then
 */
export function tryRelease(executable: string, service: UpdatedService): Trial {
  trySettings(executable, service);
  if (service.store === 'none') return { migration: undefined };
  return service.store === 'embedded'
    ? tryMigration(executable, service)
    : lookAtPostgres(executable, service);
}

const Findings = Type.Object({
  findings: Type.Array(Type.Object({ id: Type.String(), severity: Type.String(), what: Type.String() })),
});

/** Findings that prevent a start. Others may exist already, and the update may fix them. */
const FATAL: ReadonlySet<string> = new Set(['setting-refused', 'setting-file', 'data-directory-owner']);

function trySettings(executable: string, { environment, name }: UpdatedService): void {
  const words = ['config', 'check', '--json', '--unit', name];
  const { json, said } = runRelease(executable, words, environment, SETTINGS_MS_MAX);
  const found = as(Findings, json)?.findings;
  if (found === undefined) throw new Fault(`it cannot check the settings: ${said}`);
  const wrong = found.find(({ id, severity }) => severity === 'error' && FATAL.has(id));
  if (wrong) throw new Fault(`it would not start with these settings: ${wrong.what}`);
}

const Migrated = Type.Object({
  version: Type.Integer(),
  latest: Type.Integer(),
  seconds: Type.Optional(Type.Number()),
});

function tryMigration(executable: string, { environment }: UpdatedService): Trial {
  const words = ['migrate', '--dry-run', '--json'];
  const { json, said } = runRelease(executable, words, environment, MIGRATION_MS_MAX);
  const done = as(Migrated, json);
  if (done === undefined) throw new Fault(`the trial migration of a copy failed: ${said}`);
  const { version: from, latest: to, seconds = 0 } = done;
  return { migration: from === to ? undefined : { from, to, seconds } };
}

/** One migration is for all nodes, so it is nothing that a node does by itself. */
function lookAtPostgres(executable: string, { environment }: UpdatedService): Trial {
  const words = ['migrate', '--status', '--json'];
  const { exitCode, said } = runRelease(executable, words, environment, SETTINGS_MS_MAX);
  if (exitCode === SOMETHING_TO_DO)
    throw new Fault(
      'the database, which all nodes share, must be migrated first. Run "migrate" of the new release once, see docs/scaling.md#rolling-upgrade, then repeat the update',
    );
  if (exitCode !== 0) throw new Fault(`it cannot check the database: ${said}`);
  return { migration: undefined };
}
