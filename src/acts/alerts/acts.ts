import {
  ALERT_NOTE_CHARACTERS_MAX,
  acknowledgeAlert,
  type NamedAlert,
  unacknowledgeAlert,
} from '../../operator/acknowledge-alert.ts';
import { actsOn } from '../act.ts';
import { line, optional } from '../field.ts';

/** What an act on an alert is done to. */
export interface TargetAlert extends NamedAlert {
  /** What its operator has seen of it; undefined = whatever holds now. */
  readonly seen?: string | undefined;
}

const alertAct = actsOn<TargetAlert>();

export const ALERT_EXAMPLE = { license_id: 'lic_1', domain: 'shop.example.com', subject: 'malware' };

export const acknowledge = alertAct({
  verb: 'acknowledge',
  about: 'Until more is told of it. Its tenant sees nothing of that.',
  done: 'is acknowledged until more is told of it',
  fields: {
    note: optional(
      line({
        about: 'what operators are to know of it',
        flags: '--note <text>',
        help: 'what operators are to know of it',
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
  command: {
    about:
      'note that somebody sees to an open alert, until more is told of it; its tenant sees nothing of that',
    example: 'lic_1 shop.example.com malware --note "the owner is told"',
  },
  button: { submit: 'Acknowledge', label: (alert) => `Acknowledge ${alert}` },
  plan: ({ seen, ...alert }, { note }, by, { db }) => acknowledgeAlert(db, alert, { note, seen }, by),
});

export const unacknowledge = alertAct({
  verb: 'unacknowledge',
  about: 'The alert needs somebody again.',
  done: 'needs somebody again',
  fields: {},
  api: {
    operationId: 'unacknowledgeAlert',
    summary: 'Take an acknowledgement back',
    body: 'Unacknowledging',
    example: ALERT_EXAMPLE,
  },
  command: { about: 'take an acknowledgement back', example: 'lic_1 shop.example.com malware' },
  button: { submit: 'Take back', label: (alert) => `Take back that ${alert} is acknowledged` },
  plan: ({ seen, ...alert }, _, by, { db }) => unacknowledgeAlert(db, alert, seen, by),
});
