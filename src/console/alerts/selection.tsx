/** @jsxImportSource hono/jsx */
import type { TargetAlert } from '../../acts/alerts/acts.ts';
import { licenseName, parseLicenseName } from '../../domain/license/license-name.ts';
import type { Form } from '../../http/form.ts';
import { ALERT_NOTE_CHARACTERS_MAX, markOf } from '../../operator/acknowledge-alert.ts';
import { addressOf, type Filters } from '../../pages/query.ts';
import type { OpenSiteAlert } from '../../storage/sites/open-alerts.ts';
import { WORDS } from './words.ts';

const FORM = 'selected';

/**
 * The name of a checkbox contains its alert: of several values with one name, only the last would be read. Its value is the state
 * shown in the row.
 */
export const selectionName = ({ licenseId, domain, subject }: OpenSiteAlert): string =>
  `alert ${licenseName(licenseId)} ${domain} ${subject}`;
const NAME = /^alert (\S+) (\S+) (.*)$/s;

/** A checkbox that selects an alert for {@link SelectionForm}. */
export const SelectionBox = (props: {
  readonly alert: OpenSiteAlert;
  readonly label: string;
  readonly isSelected: boolean;
}) => {
  const { alert, label, isSelected } = props;
  return (
    <input
      type="checkbox"
      form={FORM}
      name={selectionName(alert)}
      value={markOf(alert)}
      checked={isSelected}
      aria-label={WORDS.select(label)}
    />
  );
};

/** Returns the selected alerts of a form. */
export const selectedIn = (form: Form): TargetAlert[] =>
  Object.entries(form).flatMap(([name, seen]) => {
    const [, license = '', domain = '', subject = ''] = NAME.exec(name) ?? [];
    const licenseId = parseLicenseName(license);
    return licenseId === undefined ? [] : { licenseId, domain, subject, seen };
  });

/** The form that acknowledges all selected alerts with one note. */
export const SelectionForm = (props: {
  readonly action: string;
  readonly filters: Filters;
  readonly note: string | undefined;
}) => (
  <form
    id={FORM}
    method="post"
    action={addressOf(props.action, props.filters)}
    class="acts"
    aria-label={WORDS.forSelected}
  >
    <label class="check" hidden>
      <input type="checkbox" data-all={FORM} />
      {WORDS.selectAll}
    </label>
    <input
      name="note"
      value={props.note}
      aria-label={WORDS.noteHint}
      placeholder={WORDS.noteHint}
      maxlength={ALERT_NOTE_CHARACTERS_MAX}
      autocomplete="off"
    />
    <button type="submit">{WORDS.acknowledgeSelected}</button>
  </form>
);
