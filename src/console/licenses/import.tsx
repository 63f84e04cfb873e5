/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { PLANS } from '../../domain/license/catalog.ts';
import { type LicenseRows, readLicenseRows } from '../../domain/license/license-rows.ts';
import { type LineRefusal, readLicenseTable } from '../../domain/license/license-table.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { normalizeSiteDomain } from '../../domain/site/site-domain.ts';
import { KIB } from '../../http/context.ts';
import type { Form } from '../../http/form.ts';
import { getAt, postAt } from '../../http/route/endpoint.ts';
import type { Act } from '../../operator/act.ts';
import { importLicenses } from '../../operator/import-licenses.ts';
import type { PlannedBatch } from '../../operator/issue-licenses.ts';
import { FileInto } from '../../pages/file-into.tsx';
import { Choice } from '../../pages/form.tsx';
import { goTo, Problem, whole } from '../../pages/html.tsx';
import { oneOfFilter } from '../../pages/query.ts';
import { Table } from '../../pages/table.tsx';
import { actOf, createActs, type FormParts } from '../act.ts';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { acting, type HasDownloads, type HasNotices, page, type Visit } from '../visit.ts';
import { answerKeys } from './new.tsx';
import { WORDS } from './words.ts';

const { import: TEXT } = WORDS;
const PATH = `${PLACES.licenses.path}/import`;
const CAP_BYTES = 1_024 * KIB;
/** A quarter of the form's limit, because URL encoding turns one byte into up to three. */
const FILE_BYTES_MAX = CAP_BYTES / 4;

/** The result of a preview. */
interface Preview {
  readonly rows: number;
  readonly keys: number;
  readonly notices: readonly string[];
  readonly refused?: { readonly words: string; readonly lines: readonly LineRefusal[] };
}

const Found = ({ preview, form }: { readonly preview: Preview; readonly form: Form }) =>
  preview.refused ? (
    <Fragment>
      <Problem text={TEXT.refusedAbout(preview.refused.words)} />
      <Table
        label={TEXT.refused}
        columns={TEXT.refusedColumns}
        rows={preview.refused.lines.map(({ line, refused }) => [whole(line), refused])}
      />
    </Fragment>
  ) : (
    <form method="post" action={PATH} class="notice good" role="status">
      <strong>{TEXT.found(preview.rows)}</strong>
      <p>{TEXT.keys(preview.keys)}</p>
      {preview.notices.map((notice) => (
        <p>{notice}</p>
      ))}
      <input type="hidden" name="rows" value={form.rows} />
      <input type="hidden" name="plan" value={form.plan} />
      <button type="submit" name="confirm" value="1">
        {TEXT.confirm(preview.rows)}
      </button>
    </form>
  );

const ImportForm = ({ form }: { readonly form: Form }) => (
  <form method="post" action={PATH} class="form roomy">
    <p class="quiet">{TEXT.about}</p>
    <label>
      {TEXT.rows}
      <textarea name="rows" required spellcheck={false} autocomplete="off">
        {form.rows ?? ''}
      </textarea>
    </label>
    <FileInto field="rows" bytesMax={FILE_BYTES_MAX} label={TEXT.file} refused={TEXT.fileRefused} />
    <Choice label={TEXT.plan} name="plan" value={form.plan} of={PLANS} />
    <button type="submit">{TEXT.preview}</button>
  </form>
);

/** The page that imports licenses of another system, all or none, after a preview that lists refused rows. */
export const importPages = (parts: FormParts & HasNotices & HasDownloads) => {
  const { db, offer, config, clock, notices } = parts;
  const act = createActs(parts);

  const rowsIn = ({ rows = '', plan }: Form): LicenseRows =>
    readLicenseRows(
      readLicenseTable(Buffer.from(rows), rows.trimStart().startsWith('{') ? 'ndjson' : 'csv'),
      {
        plan: oneOfFilter(PLANS, plan) ?? PLANS[0],
        siteOf: (text) => normalizeSiteDomain(text, config.stagingDomains),
        developmentHosts: config.scanAllowPrivate,
      },
    );

  const previewOf = async (rows: LicenseRows, by: Act): Promise<Preview> => {
    const planned = await importLicenses(db, rows, offer, by);
    return 'refused' in planned
      ? { rows: 0, keys: 0, notices: [], refused: { words: planned.refused, lines: planned.refusals } }
      : { rows: rows.rows.length, keys: planned.keys.length, notices: planned.notices ?? [] };
  };

  const show = (visit: Visit, form: Form, preview?: Preview) =>
    showPlace(
      visit,
      PLACES.licenses,
      <div class="stack">
        {preview && <Found preview={preview} form={form} />}
        <ImportForm form={form} />
      </div>,
      { title: TEXT.title, refused: preview?.refused && 'ACT_REFUSED' },
    );

  const submit = async (visit: Visit, form: Form) => {
    const rows = rowsIn(form);
    const by = actOf(clock, visit, form);
    if (isRefusal(by)) throw by;
    if (form.confirm === undefined) return show(visit, form, await previewOf(rows, by));
    const done = await act<PlannedBatch>(visit, {
      form,
      role: 'operator',
      plan: (at) => importLicenses(db, rows, offer, at),
    });
    // Licenses that were valid in the preview may conflict with some issued in the meantime.
    if (isRefusal(done) || done.plan === undefined) return show(visit, form, await previewOf(rows, by));
    if (done.plan.keys.length > 0) return answerKeys(parts, visit, done.plan);
    const { path } = PLACES.licenses;
    notices.leave(visit, path, { words: TEXT.done(done.plan.range, rows.rows.length), more: done.notices });
    return goTo(visit.set, path);
  };

  return [
    getAt(
      PATH,
      page(parts, 'operator', (visit) => show(visit, {})),
    ),
    postAt(PATH, acting(parts, 'operator', submit, { capBytes: CAP_BYTES })),
  ];
};
