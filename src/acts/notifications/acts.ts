import type { DerivedIdentities } from '../../domain/identity.ts';
import { MINUTE_MS } from '../../lib/clock.ts';
import type { RefusedAct } from '../../operator/act.ts';
import { addTarget } from '../../operator/notifications/add-target.ts';
import {
  pauseTarget,
  removeTarget,
  replayTo,
  resumeTarget,
  rotateTarget,
  testTarget,
} from '../../operator/notifications/target-acts.ts';
import type { Config } from '../../settings/config.ts';
import type { Database } from '../../storage/engine/database.ts';
import { readLicenses } from '../../storage/licenses/licenses.ts';
import { readTargets, type TargetRecord } from '../../storage/notifications/targets.ts';
import { actsOn } from '../act.ts';
import { REPLAYED, TERMS } from './fields.ts';

export interface NamedTarget {
  readonly name: string;
  readonly address: string;
}

/** The target of an act; undefined = not found. */
export interface FoundTarget {
  readonly target: TargetRecord | undefined;
}

/** Finds a target by the name of an operators' target, or by the id of any target. */
export async function findTarget(db: Database, text: string): Promise<FoundTarget> {
  const targets = readTargets(db);
  return { target: (await targets.findByName(null, text)) ?? (await targets.find(text)) };
}

export const NO_TARGET = 'There is no such target. List them with "redoubt notify list"';
const none: RefusedAct = { refused: NO_TARGET };

interface Grounds {
  readonly db: Database;
  readonly identities: Pick<DerivedIdentities, 'targetKey'>;
  readonly config: Pick<Config, 'notifyAllowPrivate'>;
}

/** The facts that decide whether a target may be added. */
export const addGrounds = async ({ db, identities, config }: Grounds, licenseId: number | null) => ({
  all: await readTargets(db).list(licenseId),
  targetKey: identities.targetKey,
  allowPrivate: config.notifyAllowPrivate,
});

export const add = actsOn<NamedTarget>()({
  verb: 'add',
  title: 'Add a notification target',
  submit: 'Add target',
  shown: (name) => `This is the signing secret of ${name}. It is shown only once:`,
  about:
    'Its address decides what is sent: https:// a webhook, mailto: mail, syslog+tls:// or syslog+unix:/// syslog.',
  fields: TERMS,
  api: {
    operationId: 'addNotificationTarget',
    description:
      'The address decides the kind: `https://` is a webhook, `mailto:` mail, `syslog+tls://host:port` and `syslog+unix:///path` syslog. ' +
      'The secret of a webhook in the format `standard` is returned once.',
    body: 'NewNotificationTarget',
    example: {
      name: 'siem',
      address: 'syslog+tls://siem.example.com:6514',
      events: ['audit', 'alert.opened'],
      min_severity: 'low',
      format: 'cef',
    },
  },
  command: { about: 'add a target and print the secret of a webhook once' },
  forms: [{}],
  async plan({ name, address }, input, by, parts) {
    const { license_ids: licenses = [], digest_minutes: minutes } = input;
    for (const id of licenses)
      if ((await readLicenses(parts.db).find(id)) === undefined)
        return { refused: 'One of these licenses does not exist. Leave it out' };
    const wanted = {
      name,
      address,
      licenseId: null,
      licenses,
      ...(minutes === undefined ? {} : { digestMs: minutes * MINUTE_MS }),
      ...(input.events === undefined ? {} : { events: input.events }),
      ...(input.min_severity === undefined ? {} : { minSeverity: input.min_severity }),
      ...(input.format === undefined ? {} : { format: input.format }),
      customers: input.customers ?? [],
      isPersonalIncluded: input.include_personal ?? false,
      ca: input.ca ?? null,
    };
    return addTarget(wanted, await addGrounds(parts, null), by);
  },
});

const targetAct = actsOn<FoundTarget>();

export const test = targetAct({
  verb: 'test',
  title: 'Test a notification target',
  submit: 'Send test',
  about: 'Sends a test in the same way as an event, also to a paused target.',
  fields: {},
  api: {
    operationId: 'testNotificationTarget',
    body: 'NotificationTest',
    example: { reason: 'a new receiver' },
  },
  command: { about: 'send a test in the same way as an event, and report the result' },
  button: {},
  plan: ({ target }, _, by) => (target ? testTarget(target, by) : none),
});

export const pause = targetAct({
  verb: 'pause',
  title: 'Pause a notification target',
  submit: 'Pause',
  about: 'Events wait, up to 10,000; older ones are dropped.',
  done: 'is paused',
  fields: {},
  api: {
    operationId: 'pauseNotificationTarget',
    body: 'NotificationPause',
    example: { reason: 'maintenance' },
  },
  command: { about: 'send nothing for now; events wait, up to 10,000' },
  button: {},
  plan: ({ target }, _, by) => (target ? pauseTarget(target, by) : none),
});

export const resume = targetAct({
  verb: 'resume',
  title: 'Resume a notification target',
  submit: 'Resume',
  about: 'Waiting events are sent, the oldest first.',
  done: 'is active',
  fields: {},
  api: { operationId: 'resumeNotificationTarget', body: 'NotificationResume', example: { reason: 'fixed' } },
  command: { about: 'send again, waiting events first' },
  button: {},
  plan: ({ target }, _, by) => (target ? resumeTarget(target, by) : none),
});

export const rotate = targetAct({
  verb: 'rotate',
  title: 'Rotate the secret of a webhook',
  submit: 'Rotate secret',
  about: 'Both secrets sign for 24 hours.',
  shown: (name) =>
    `This is the new signing secret of ${name}. It is shown only once; the previous one signs as well for 24 hours:`,
  fields: {},
  api: {
    operationId: 'rotateNotificationSecret',
    body: 'NotificationRotation',
    example: { reason: 'yearly rotation' },
  },
  command: { about: 'create a new secret and print it once; both sign for 24 hours' },
  button: { ask: (name) => `Rotate the secret of ${name}? The current one signs for another 24 hours.` },
  plan: ({ target }, _, by, { identities }) =>
    target ? rotateTarget(target, identities.targetKey, by) : none,
});

export const remove = targetAct({
  verb: 'remove',
  title: 'Remove a notification target',
  submit: 'Remove',
  about: 'Waiting events are dropped, and its deliveries are no longer listed.',
  done: 'is removed',
  fields: {},
  isFinal: true,
  api: {
    operationId: 'removeNotificationTarget',
    body: 'NotificationRemoval',
    example: { reason: 'the receiver was replaced' },
  },
  command: {
    about: 'remove a target with its waiting events',
    question: 'Remove it?',
    warning: ({ target }) =>
      target &&
      `${target.name} receives nothing more; ${target.waiting.toLocaleString('en')} waiting events are dropped`,
  },
  button: { ask: (name) => `Remove ${name}? Waiting events are dropped.` },
  plan: ({ target }, _, by) => (target ? removeTarget(target, by) : none),
});

export const replay = targetAct({
  verb: 'replay',
  title: 'Send events again',
  submit: 'Send again',
  about:
    'With the same ids, so that receivers recognize events that they have. Events are retained for 30 days.',
  done: 'receives them again',
  fields: REPLAYED,
  api: {
    operationId: 'replayNotifications',
    description:
      'Sends events that the target is configured for again, one by its `event` id or all `since` a moment: exactly one of the two is required. ' +
      'Ids stay the same, so that receivers recognize events that they have. Events are retained for 30 days.',
    body: 'NotificationReplay',
    example: { since: '2026-11-23T00:00:00Z', reason: 'the receiver lost a day' },
  },
  command: { about: 'send one event, or all events since a time, again' },
  forms: [{}],
  plan: ({ target }, input, by) => (target ? replayTo(target, input, by) : none),
});

/** Acts on a target that exists. */
export const TARGET_ACTS = [test, pause, resume, rotate, remove, replay] as const;
