import {
  ALERT_NOTE_CHARACTERS_MAX,
  acknowledgeAlert,
  type NamedAlert,
  unacknowledgeAlert,
} from '../../operator/acknowledge-alert.ts';
import { actsOn } from '../act.ts';
import { line, optional } from '../field.ts';

/** An alert, as an act names it. */
export interface TargetAlert extends NamedAlert {
  /** The state that the operator saw; undefined = any. */
  readonly seen?: string | undefined;
}

const alertAct = actsOn<TargetAlert>();

export const ALERT_EXAMPLE = { license_id: 'lic_1', domain: 'shop.example.com', subject: 'malware' };

export const acknowledge = alertAct({
  verb: 'acknowledge',
  title: 'Acknowledge an alert',
  submit: 'Acknowledge',
  about: 'Until more is told of it. Its tenant sees nothing of that.',
  done: 'is acknowledged until more is told of it',
  fields: {
    note: optional(
      line({
        about: 'what operators are to know of it',
        flags: '--note <text>',
        help: 'a note for operators',
        label: 'Note',
        max: ALERT_NOTE_CHARACTERS_MAX,
      }),
    ),
  },
  api: {
    operationId: 'acknowledgeAlert',
    summary: 'Note that somebody sees to an alert',
    body: 'Acknowledging',
    example: { ...ALERT_EXAMPLE, note: 'the owner is told, ticket 1042' },
  },
  command: { about: 'acknowledge an open alert until the site reports more; tenants do not see this' },
  button: { label: (alert) => `Acknowledge ${alert}` },
  plan: ({ seen, ...alert }, { note }, by, { db }) => acknowledgeAlert(db, alert, { note, seen }, by),
});

export const unacknowledge = alertAct({
  verb: 'unacknowledge',
  title: 'Withdraw an acknowledgement',
  submit: 'Withdraw acknowledgement',
  about: 'The alert needs somebody again.',
  done: 'needs somebody again',
  fields: {},
  api: {
    operationId: 'unacknowledgeAlert',
    summary: 'Take an acknowledgement back',
    body: 'Unacknowledging',
    example: ALERT_EXAMPLE,
  },
  command: {},
  button: {},
  plan: ({ seen, ...alert }, _, by, { db }) => unacknowledgeAlert(db, alert, seen, by),
});
