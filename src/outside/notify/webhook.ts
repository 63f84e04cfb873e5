import type { KeyObject } from 'node:crypto';
import type { Deliver, Message, Outcome } from '../../domain/notification/delivery.ts';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../../domain/notification/formats/format.ts';
import { shownEvent } from '../../domain/notification/shown-event.ts';
import { NOT_ENCRYPTED } from '../../domain/notification/target-address.ts';
import { signatureHeaders } from '../../domain/notification/webhook-signature.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { within } from '../../lib/within.ts';
import { type Answer, exchange } from './http-exchange.ts';
import type { IdleConnections } from './idle-connections.ts';
import { type ConnectionProblem, failedBy, latencySince } from './outcomes.ts';
import { connectTo, type Receiver, type ReceiverRules } from './receiver.ts';
import { outcomeOfAnswer } from './webhook-outcome.ts';

export interface WebhookTarget {
  /** `https:`, or `http:` where private receivers are allowed. */
  readonly url: URL;
  readonly format: WebhookFormat;
  /** `whsec_` and base64. During a rotation there are two, and both sign. */
  readonly secrets: readonly string[];
  /** PEM certificates to trust; undefined = those of the system. */
  readonly ca: string | undefined;
}

export interface WebhookOptions extends ReceiverRules {
  readonly idle: IdleConnections;
  /** The Ed25519 key that signs webhooks; undefined if there is none. */
  readonly signer: () => Promise<{ readonly privateKey: KeyObject } | undefined>;
  /** Version of this service, for the User-Agent. */
  readonly version: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15 * SECOND_MS;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Posts the events of a message to a webhook in order, up to the first failure. Follows no redirects. */
export function createWebhook(target: WebhookTarget, options: WebhookOptions): Deliver {
  return async ({ events: [first, ...others], isPersonalIncluded }) => {
    let outcome = await postEvent(target, options, first, isPersonalIncluded);
    for (const event of others) {
      if (outcome.outcome !== 'delivered') break;
      outcome = await postEvent(target, options, event, isPersonalIncluded);
    }
    return outcome;
  };
}

async function postEvent(
  target: WebhookTarget,
  options: WebhookOptions,
  event: Message['events'][0],
  isPersonalIncluded: boolean,
): Promise<Outcome> {
  const { allowPrivate, signer, now, version, timeoutMs = TIMEOUT_MS } = options;
  const startedAt = performance.now();
  const { body, url = target.url } = WEBHOOK_FORMATS[target.format](
    shownEvent(event, isPersonalIncluded),
    target.url,
  );
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowPrivate)) return notEncrypted;
  const privateKey = (await signer().catch(() => undefined))?.privateKey;
  const signed = signatureHeaders(event.id, body, { secrets: target.secrets, privateKey }, now());
  const end = new AbortController();
  const request = requestOf(url, { 'user-agent': `Redoubt/${version}`, ...signed }, body);
  const answer = await within(post(url, target, request, options, end.signal), timeoutMs);
  const latencyMs = latencySince(startedAt);
  if (typeof answer === 'object') return outcomeOfAnswer(answer, latencyMs, now());
  end.abort();
  return failedBy(answer, latencyMs);
}

const notEncrypted: Outcome = {
  outcome: 'refused',
  status: null,
  latencyMs: 0,
  reason: NOT_ENCRYPTED,
};

/** Sends over an idle connection if there is one; if the receiver has just closed it, tries the next, finally a new one. */
async function post(
  url: URL,
  { ca }: WebhookTarget,
  request: string,
  options: WebhookOptions,
  ended: AbortSignal,
): Promise<Answer | ConnectionProblem> {
  const { idle } = options;
  const key = `${url.origin}\n${ca ?? ''}`;
  const receiver: Receiver = {
    host: url.hostname,
    port: Number(url.port) || (DEFAULT_PORTS[url.protocol] as number),
    tls: url.protocol === 'https:' ? { ca } : undefined,
  };
  for (;;) {
    const known = idle.take(key);
    const stream = known?.stream ?? (await connectTo(receiver, options, ended));
    if (typeof stream === 'string') return stream;
    const openedAt = known?.openedAt ?? performance.now();
    const destroy = () => stream.destroy();
    ended.addEventListener('abort', destroy);
    const answer = await exchange(stream, request);
    ended.removeEventListener('abort', destroy);
    if (typeof answer === 'object' && answer.isReusable) idle.put(key, { stream, openedAt });
    else destroy();
    if (answer !== 'closed' || known === undefined) return answer;
  }
}

function requestOf(url: URL, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries({
    host: url.host,
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url.pathname}${url.search} HTTP/1.1`, ...lines, '', body].join('\r\n');
}
