/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { COMMIT, VERSION } from '../lib/version.ts';
import type { BackupLook } from '../operator/backup-desk.ts';
import type { ListedBackup } from '../operator/list-backups.ts';
import { Facts, volume } from '../pages/html.tsx';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import { runtime } from '../runtime/runtime.ts';
import { MIGRATIONS } from '../storage/engine/migrations.ts';
import type { KeptBackup } from '../storage/installation/backups.ts';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const { path: PATH } = PLACES.backups;
const WORDS = TEXTS.backups;

export const CREATE_PATH = `${PATH}/create`;

export const CreateForm = () => (
  <form method="post" action={CREATE_PATH}>
    <button type="submit">{WORDS.createNow}</button>
  </form>
);

const yesOrNo = (is: boolean) => (is ? WORDS.yes : WORDS.no);

/** The time and the result of a backup's last check. */
const Checked = ({ of: { checkedAt, problem } }: { readonly of: KeptBackup }) =>
  checkedAt === null ? (
    <Fragment>{WORDS.never}</Fragment>
  ) : (
    <Fragment>
      <Time at={checkedAt} />
      {`: ${problem ?? WORDS.good}`}
    </Fragment>
  );

/** The newest verified backup; without one, instructions. */
export function LastGood({
  last,
  hours,
}: {
  readonly last: ListedBackup | undefined;
  readonly hours: number;
}) {
  if (last === undefined)
    return (
      <div class="notice warn wide">
        <strong>{WORDS.none}</strong>
        <p>{WORDS.make}</p>
        <p>
          <code>{WORDS.create}</code>
          <br />
          <code>{WORDS.timer}</code>
        </p>
      </div>
    );
  return (
    <section class="card wide">
      <h2>{WORDS.last}</h2>
      <Facts
        of={[
          [WORDS.facts.made, <Time at={last.at} />],
          [WORDS.facts.age, TEXTS.age(hours)],
          [WORDS.facts.path, last.path],
          [WORDS.facts.size, volume(last.bytes)],
          [WORDS.facts.encrypted, yesOrNo(last.encrypted)],
          [WORDS.facts.checked, <Checked of={last} />],
        ]}
      />
      {last.isThere ? null : <p class="quiet">{WORDS.isGone}</p>}
    </section>
  );
}

/** The backup or check in progress, or the result of the last one. */
export function CheckStatus({ of: { path, begunAt, outcome } }: { readonly of: BackupLook }) {
  if (outcome === 'running')
    return (
      <div class="notice warn" role="status">
        <strong>{path === undefined ? WORDS.creating : WORDS.running(path)}</strong>
        <p>
          {`${WORDS.runningWhy} `}
          <a href={PATH}>{WORDS.again}</a>.
        </p>
      </div>
    );
  const words = () => {
    if (path === undefined) return outcome === 'failed' ? WORDS.notCreated : WORDS.created;
    if (outcome === 'failed') return WORDS.failed(path);
    return outcome.problem === null ? WORDS.passed(path) : WORDS.broken(path, outcome.problem);
  };
  const isGood = outcome !== 'failed' && outcome.problem === null;
  return (
    <div class={`notice ${isGood ? 'good' : 'bad'}`} role="status">
      <strong>{words()}</strong>
      {`${WORDS.begun} `}
      <Time at={begunAt} />
    </div>
  );
}

const VerifyForm = ({ id, path }: Pick<KeptBackup, 'id' | 'path'>) => (
  <form method="post" action={`${PATH}/verify`} class="acts">
    <input type="hidden" name="id" value={String(id)} />
    <button type="submit" class="quiet" aria-label={WORDS.verifyIt(path)}>
      {WORDS.verify}
    </button>
  </form>
);

/** The newest backups, with buttons that verify them, for owners. */
export const Backups = (props: { readonly backups: readonly ListedBackup[]; readonly mayVerify: boolean }) =>
  props.backups.length === 0 ? null : (
    <section class="card wide">
      <h2>{WORDS.list}</h2>
      <p class="quiet">{WORDS.listAbout(props.backups.length)}</p>
      <Table
        label={WORDS.list}
        columns={WORDS.columns}
        head={1}
        rows={props.backups.map((backup) => [
          ...[<Time at={backup.at} />, backup.path, volume(backup.bytes), yesOrNo(backup.encrypted)],
          ...[<Checked of={backup} />, backup.isThere ? WORDS.there : WORDS.gone],
          props.mayVerify && backup.isThere && !backup.encrypted ? (
            <VerifyForm id={backup.id} path={backup.path} />
          ) : (
            '–'
          ),
        ])}
      />
    </section>
  );

/** An action that is only possible on the command line of this host. */
const OnHost = (props: { readonly title: string; readonly about: string; readonly command: string }) => (
  <section class="card">
    <h2>{props.title}</h2>
    <p>{props.about}</p>
    <p>
      <code>{props.command}</code>
    </p>
  </section>
);

/** Change of the executable on disk since the start; undefined = unchanged, or running from source. */
export type ExecutableChange = 'replaced' | 'missing' | undefined;

/** The running version, and whether a restart would change it. */
export const Versions = ({ change }: { readonly change: ExecutableChange }) => (
  <Fragment>
    {change === undefined ? null : (
      <p class="notice warn">
        <strong>{WORDS.changes[change]}</strong>
        {WORDS.changesMean[change]}
      </p>
    )}
    <div class="cards">
      <section class="card">
        <h2>{WORDS.versions}</h2>
        <Facts
          of={[
            [WORDS.version, VERSION],
            [WORDS.commit, COMMIT],
            [WORDS.runtime, runtime.name],
            [WORDS.schema, String(MIGRATIONS.length)],
          ]}
        />
      </section>
      <OnHost title={WORDS.update} about={WORDS.updateAbout} command={WORDS.updateCommand} />
      <OnHost title={WORDS.restore} about={WORDS.restoreAbout} command={WORDS.restoreCommand} />
    </div>
  </Fragment>
);
