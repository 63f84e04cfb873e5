import type { Message } from '../../src/domain/notification/delivery.ts';
import type { NotificationEvent } from '../../src/domain/notification/event.ts';
import { certificate, fakeNetwork } from './fake-site.ts';

/** The apparent address of a receiver; it listens on the loopback address, which is never notified. */
export const PUBLIC = '93.184.216.34';
export const PRIVATE = '10.0.0.7';
export const HOST = 'hooks.example';

const authority = certificate('authority', { authority: true });
/** PEM of the CA of the receivers' certificates. */
export const CA = authority.cert;
export const certificateFor = (name = HOST, more: { days?: number; names?: string } = {}) =>
  certificate(name, { issuer: authority, ...more });

/** A network in which a receiver is at a public address, at all ports that tests use. */
export const networkTo = (port: number, addresses: readonly (readonly string[])[] = [[PUBLIC]]) =>
  fakeNetwork(
    { [HOST]: addresses },
    Object.fromEntries(
      [PUBLIC, PRIVATE].flatMap((address) =>
        [80, 443, 465, 587, 6514].map((known) => [`${address}:${known}`, port]),
      ),
    ),
  );

export const eventWith = (more: Partial<NotificationEvent> = {}): NotificationEvent => ({
  id: `evt_${'A'.repeat(22)}`,
  type: 'alert.opened',
  at: Date.UTC(2026, 10, 28, 14, 5),
  severity: 'critical',
  summary: 'A critical alert was opened at shop.example',
  link: 'https://licenses.example/console/alerts/7',
  data: { license_id: 'lic_1', site: 'shop.example', alerts: 2, isTest: false, none: null },
  personal: { customer: 'Ann Example' },
  ...more,
});

export const messageOf = (
  event: Partial<NotificationEvent> | readonly [NotificationEvent, ...NotificationEvent[]] = {},
  isPersonalIncluded = false,
): Message => ({
  events: Array.isArray(event) ? (event as unknown as Message['events']) : [eventWith(event as object)],
  isPersonalIncluded,
});

/** Names with a meaning in a terminal, a header, markup or a chat. */
export const HOSTILE_TEXTS: readonly string[] = [
  '@everyone @here @channel @all',
  '<!channel> <@U012AB3CD> <#C024BE7LR> <https://evil.example|Open in Redoubt>',
  '[Open](https://evil.example) ![x](https://evil.example/x.png)',
  '**bold** _it_ ~~gone~~ `code` # head > quote 1. one - two | a | b |',
  '<at>Ann</at> <script>alert(1)</script> &amp; "quoted" \'single\'',
  'a\r\nBcc: victim@example.com\r\n\r\nbody',
  'x] evil="1"][other@1 a="b" \\"] =|= \\',
  '\u0000\u0007\u001b[31mred\u202egnp.exe\u2028next\ufeff',
  '\ud800 lone \udfff',
  '👩‍👩‍👧‍👦'.repeat(9_000),
  'ü'.repeat(65_536),
];
