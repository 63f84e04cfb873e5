import {
  ALERT_NOTE_CHARACTERS_MAX,
  acknowledgeAlert,
  type NamedAlert,
  unacknowledgeAlert,
} from '../../operator/acknowledge-alert.ts';
import { actsOn } from '../act.ts';
import { line, optional } from '../field.ts';

/** The target of an act on an alert. */
export interface TargetAlert extends NamedAlert {
  /** The state shown to the operator, so that a newer report is not acknowledged; undefined = any state. */
  readonly seen?: string | undefined;
}

const alertAct = actsOn<TargetAlert>();

export const ALERT_EXAMPLE = { license_id: 'lic_1', domain: 'shop.example.com', subject: 'malware' };

export const acknowledge = alertAct({
  verb: 'acknowledge',
  title: 'Acknowledge an alert',
  submit: 'Acknowledge',
  role: 'support',
  about: 'Until the site reports more. Its tenant does not see this.',
  done: 'is acknowledged until the site reports more',
  fields: {
    note: optional(
      line({
        about: 'what other operators should know',
        flags: '--note <text>',
        help: 'a note for operators',
        label: 'Note',
        max: ALERT_NOTE_CHARACTERS_MAX,
      }),
    ),
  },
  api: {
    operationId: 'acknowledgeAlert',
    summary: 'Acknowledge an alert',
    body: 'Acknowledging',
    example: { ...ALERT_EXAMPLE, note: 'ticket 1042 is with the owner' },
  },
  command: { about: 'acknowledge an open alert until the site reports more; tenants do not see this' },
  button: { label: (alert) => `Acknowledge ${alert}` },
  plan: ({ seen, ...alert }, { note }, by, { db }) => acknowledgeAlert(db, alert, { note, seen }, by),
});

export const unacknowledge = alertAct({
  verb: 'unacknowledge',
  title: 'Withdraw an acknowledgement',
  submit: 'Withdraw acknowledgement',
  role: 'support',
  about: 'The alert needs attention again.',
  done: 'needs attention again',
  fields: {},
  api: {
    operationId: 'unacknowledgeAlert',
    summary: 'Withdraw an acknowledgement',
    body: 'Unacknowledging',
    example: ALERT_EXAMPLE,
  },
  command: {},
  button: {},
  plan: ({ seen, ...alert }, _, by, { db }) => unacknowledgeAlert(db, alert, seen, by),
});
