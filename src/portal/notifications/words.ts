import { TARGET_NAME_RULE } from '../../domain/notification/target.ts';

// Texts of the page where tenants configure notifications, in English.

export const WORDS = {
  title: 'Notifications',
  about: 'Events of your license are sent to your chat, mailbox or program.',
  disabled: 'Your provider has turned notifications off. You can still pause and remove targets.',
  targets: 'Targets',
  none: 'No targets. Add one, and send a test.',
  columns: ['Target', 'Address', 'State', 'Waiting', 'Last success', 'Last error', 'Actions'],
  active: 'active',
  pausedBy: {
    operator: 'paused by your provider',
    tenant: 'paused',
    recipient: 'paused: the recipient unsubscribed',
    gone: 'paused: the receiver answered 410',
    attempts: 'paused: all 10 attempts failed',
  },
  never: 'never',
  actions: {
    test: 'Send test',
    pause: 'Pause',
    resume: 'Resume',
    rotate: 'Rotate secret',
    remove: 'Remove',
  },
  ask: {
    rotate: (name: string) => `Rotate the secret of ${name}? The current one signs for another 24 hours.`,
    remove: (name: string) => `Remove ${name}? Waiting events are dropped.`,
  },
  add: 'Add target',
  name: 'Name, such as ops-chat',
  address: 'Address: https:// for a webhook, mailto: for mail',
  format: 'Format',
  formatDefault: 'Default of the kind',
  minSeverity: 'Lowest severity',
  digest: 'Minutes to collect events (0: send each at once; default: 15 for mail)',
  events: 'Events',
  secret: (name: string) => `This is the signing secret of ${name}. It is shown only once:`,
  badName: `The name ${TARGET_NAME_RULE}.`,
  added: (name: string) => `${name} is added. Send a test.`,
  tested: (name: string, result: string) => `Test of ${name}: ${result}`,
  gone: 'This target no longer exists. Reload the page.',
} as const;
