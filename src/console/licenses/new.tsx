/** @jsxImportSource hono/jsx */
import { ActFields } from '../../acts/form.tsx';
import { ISSUE_FORM, ISSUED_TOGETHER_MAX, issue, issueSeveral } from '../../acts/licenses/keys.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import type { Form } from '../../http/form.ts';
import { getAt, postAt } from '../../http/route/endpoint.ts';
import type { PlannedBatch } from '../../operator/issue-licenses.ts';
import { Field } from '../../pages/form.tsx';
import { goTo } from '../../pages/html.tsx';
import { createFormAct, type FormParts, noticeOf } from '../act.ts';
import { WORDS as OF_LICENSE } from '../license/words.ts';
import { licensePath } from '../license-link.tsx';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { acting, answerFile, type HasDownloads, type HasNotices, page, type Visit } from '../visit.ts';
import { WORDS } from './words.ts';

const { letter: LETTER } = OF_LICENSE;
const PATH = `${PLACES.licenses.path}/new`;

/** Answers with generated keys as a file. They are not stored anywhere else. */
export const answerKeys = (parts: HasDownloads & FormParts, visit: Visit, { keys, range }: PlannedBatch) =>
  answerFile(parts, visit, {
    name: `keys-${range}`,
    header: ['license_id', 'key'],
    rows: (async function* () {
      yield keys.map(({ licenseId, key }) => [licenseName(licenseId), key]);
    })(),
  });

/** Returns the number of licenses to issue; undefined if it is invalid or too large. */
function countIn({ count = '' }: Form): number | undefined {
  const wanted = count.trim() === '' ? 1 : Number(count);
  return Number.isInteger(wanted) && wanted >= 1 && wanted <= ISSUED_TOGETHER_MAX ? wanted : undefined;
}

/** The page that issues one license, and shows its key on the next page, or several, and downloads their keys. */
export const newLicensePages = (parts: FormParts & HasNotices & HasDownloads) => {
  const act = createFormAct(parts, issue);

  const show = (visit: Visit, form: Form, refusal?: Refusal) =>
    showPlace(
      visit,
      PLACES.licenses,
      <form method="post" action={PATH} class="form">
        <ActFields act={issue} words={ISSUE_FORM} values={form} refusal={refusal} />
        <Field label={WORDS.count} name="count" value={form.count} hint="1" max={4} />
        <p class="quiet">{WORDS.countAbout}</p>
        <button type="submit">{issue.title}</button>
      </form>,
      { title: issue.title, refused: refusal?.refused },
    );

  const issuedOne = async (visit: Visit, form: Form) => {
    const done = await act(visit, form, () => null);
    if (isRefusal(done)) return show(visit, form, done);
    const [made] = done.plan?.keys ?? [];
    const { range = '' } = done.plan ?? {};
    const path = licensePath(range);
    const words = issue.shown?.(range) ?? '';
    if (made) {
      const letter = { title: LETTER.title, text: LETTER.issued(made.key) };
      parts.notices.leave(visit, path, noticeOf(done, { words, secret: made.key, letter }));
    }
    return goTo(visit.set, path);
  };

  const issued = async (visit: Visit, form: Form) => {
    const count = countIn(form);
    if (count === undefined)
      return show(visit, form, refuse('INVALID_PAYLOAD', WORDS.countRule(ISSUED_TOGETHER_MAX)));
    if (count === 1) return issuedOne(visit, form);
    const done = await createFormAct(parts, issueSeveral(count))(visit, form, () => null);
    if (isRefusal(done)) return show(visit, form, done);
    return done.plan ? answerKeys(parts, visit, done.plan) : goTo(visit.set, PLACES.licenses.path);
  };

  return [
    getAt(
      PATH,
      page(parts, 'operator', (visit) => show(visit, {})),
    ),
    postAt(PATH, acting(parts, 'operator', issued)),
  ];
};
