/** @jsxImportSource hono/jsx */
import { ActFields } from '../acts/form.tsx';
import { ISSUE_FORM, issue } from '../acts/licenses/keys.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { goTo } from '../pages/html.tsx';
import { createFormAct, type FormParts, noticeOf } from './act.ts';
import { WORDS } from './license/words.ts';
import { licensePath } from './license-link.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { acting, type HasNotices, page, type Visit } from './visit.ts';

const { letter: LETTER } = WORDS;
const PATH = `${PLACES.licenses.path}/new`;

/** Where a license is issued; its key is shown on the page after. */
export const newLicensePages = (parts: FormParts & HasNotices) => {
  const act = createFormAct(parts, issue);

  const show = (visit: Visit, form: Form, refusal?: Refusal) =>
    showPlace(
      visit,
      PLACES.licenses,
      <form method="post" action={PATH} class="form">
        <ActFields act={issue} words={ISSUE_FORM} values={form} refusal={refusal} />
        <button type="submit">{issue.title}</button>
      </form>,
      { title: issue.title, refused: refusal?.refused },
    );

  const issued = async (visit: Visit, form: Form) => {
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

  return [
    getAt(
      PATH,
      page(parts, 'operator', (visit) => show(visit, {})),
    ),
    postAt(PATH, acting(parts, 'operator', issued)),
  ];
};
