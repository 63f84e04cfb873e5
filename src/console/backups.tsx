/** @jsxImportSource hono/jsx */
import { hasRole } from '../domain/admin/operator.ts';
import { backupWarning } from '../domain/backup/backup-warning.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { HOUR_MS } from '../lib/clock.ts';
import { asSentence } from '../lib/sentence.ts';
import { type Act, audited } from '../operator/act.ts';
import type { BackupCheck, BackupDesk } from '../operator/backup-desk.ts';
import { isFile, lookForFiles } from '../operator/list-backups.ts';
import { verifyBackup } from '../operator/verify-backup.ts';
import { goTo, Problem } from '../pages/html.tsx';
import type { ActingParts } from '../routes/admin/fields/act.ts';
import type { Parts } from '../routes/parts.ts';
import { readBackup, readBackups } from '../storage/installation/backups.ts';
import { actOf, createActs } from './act.ts';
import {
  Backups,
  CheckStatus,
  CREATE_PATH,
  CreateForm,
  type ExecutableChange,
  LastGood,
  Versions,
} from './backup-lists.tsx';
import { createConfirmation } from './confirm.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { acting, page, type Visit, type VisitParts } from './visit.ts';

const { path: PATH } = PLACES.backups;
const WORDS = TEXTS.backups;
const SHOWN_MAX = 50;
const AGAIN_SECONDS = 2;
const ID = /^[1-9]\d{0,14}$/;

interface BackupsParts
  extends VisitParts,
    ActingParts,
    Parts<'addressOf' | 'noteFailedSignIn' | 'db' | 'health'> {
  readonly backupDesk: Pick<BackupDesk, 'latest' | 'begin' | 'create'>;
  readonly executableChange: () => ExecutableChange;
}

/** The page of backups and versions. Operators create backups; owners verify them. */
export const backupPages = (parts: BackupsParts) => {
  const { db, clock, config, health, desk, backupDesk, executableChange } = parts;
  const newest = readBackups(db);
  const backupOf = readBackup(db);
  const confirmation = createConfirmation(parts);
  const act = createActs(parts);

  const show = async ({ set, operator }: Visit, problem?: string) => {
    const good = await health.lastBackup();
    const [last] = await lookForFiles(good ? [good] : []);
    const backups = await lookForFiles(await newest(SHOWN_MAX));
    // Read after the files, because checking them may take a while.
    const now = clock.now();
    const latest = backupDesk.latest();
    const isRunning = latest?.outcome === 'running';
    const isOfKeys = db.sqlDialect.isShared;
    const facts = { lastAt: last?.at, firstAt: undefined, warnHours: config.backupWarnHours, isOfKeys, now };
    const children = (
      // The element remains when nothing is running, because the script replaces its content.
      <div data-live="" data-again={isRunning ? String(AGAIN_SECONDS) : undefined}>
        <Problem text={problem} />
        {latest === undefined ? null : <CheckStatus of={latest} />}
        {backupWarning(facts) === undefined ? null : (
          <p class="notice warn">
            <strong>{WORDS.tooOld}</strong>
            {WORDS.tooOldMeans}
          </p>
        )}
        {isOfKeys ? <p class="quiet">{WORDS.onPostgres}</p> : null}
        <div class="cards">
          <LastGood last={last} hours={Math.max(0, Math.floor((now - (last?.at ?? now)) / HOUR_MS))} />
          <Backups backups={backups} mayVerify={hasRole(operator.role, 'owner') && !isRunning} />
        </div>
        <Versions change={executableChange()} />
      </div>
    );
    return showPlace({ set, operator }, PLACES.backups, children, {
      title: WORDS.title,
      actions: isRunning || !hasRole(operator.role, 'operator') ? undefined : <CreateForm />,
      refused: problem === undefined ? undefined : 'ACT_REFUSED',
    });
  };

  const storeResult = (id: number, by: Act) => (found: BackupCheck) => {
    const now = clock.now();
    return desk.do(undefined, now, async () => {
      const planned = verifyBackup(await backupOf(id), found, { ...by, now });
      return 'refused' in planned ? planned : { ...planned, facts: {}, holdsAnyway: true as const };
    });
  };

  /** Starts a verification. @returns the reason if it was not started */
  const begin = async ({ id = '' }: Form, by: Act): Promise<string | undefined> => {
    const backup = ID.test(id) ? await backupOf(Number(id)) : undefined;
    if (backup === undefined) return WORDS.unknown;
    // Refused without a result, because an encrypted or moved backup is not damaged.
    if (backup.encrypted) return WORDS.isEncrypted;
    if (!(await isFile(backup.path))) return WORDS.fileGone;
    return backupDesk.begin(backup, storeResult(backup.id, by)) ? undefined : WORDS.isRunning;
  };

  /**
   * Starts a backup. The audit log gets two entries: this one by the operator, and one by the command, in the name of the
   * service's user.
   */
  const create = async (visit: Visit, form: Form) => {
    if (backupDesk.latest()?.outcome === 'running') return show(visit, asSentence(WORDS.isRunning));
    const asked = await act(visit, {
      form,
      role: 'operator',
      plan: (by) => audited(by, 'backup.begin', null, []),
    });
    if (isRefusal(asked)) return show(visit, asked.message);
    return backupDesk.create() ? goTo(visit.set, PATH) : show(visit, asSentence(WORDS.isRunning));
  };

  const verify = async (visit: Visit, form: Form) => {
    const asked = await confirmation(visit, `${PATH}/verify`, form);
    if (asked) return asked;
    const by = actOf(clock, visit, form);
    const refused = isRefusal(by) ? by.message : await begin(form, by);
    return refused === undefined ? goTo(visit.set, PATH) : show(visit, asSentence(refused));
  };

  return [
    getAt(PATH, page(parts, 'support', show)),
    postAt(CREATE_PATH, acting(parts, 'operator', create)),
    postAt(`${PATH}/verify`, acting(parts, 'owner', verify)),
  ];
};
