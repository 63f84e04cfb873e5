import { Type as t } from '@sinclair/typebox';
import { canonicalEmail } from '../domain/license/email.ts';
import { TRIAL_PLAN, trialNotAvailable } from '../domain/license/trial.ts';
import { trialDomain } from '../domain/license/trial-domain.ts';
import { notRefused, refuse } from '../domain/refusal.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { KIB, requestIdOf } from '../http/context.ts';
import { closed, flat, show, timestamp } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { emailText, siteText } from '../http/fields.ts';
import { openRoute, pluginBody } from '../http/route/index.ts';
import { EMPTY_COUNTS_AS_ABSENT } from '../http/schema-check.ts';
import { iso } from '../lib/clock.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { PlanName } from './auth.ts';
import type { Parts } from './parts.ts';

export const TRIAL = '/license/trial';

const TrialRequest = t.Object(
  {
    domain: siteText('domain or URL of the site'),
    install_hash: t.String({
      pattern: '^[A-Za-z0-9_-]{16,128}$',
      description: 'opaque hash, unique per installation',
    }),
    email: emailText('e-mail address; only a keyed hash is stored'),
    client_secret: t.Optional(
      t.String({
        maxLength: 255,
        description: 'value from the first response; repeats a pending request and returns a new key',
      }),
    ),
  },
  {
    title: 'TrialRequest',
    // Deployed plugins may be newer than this server.
    additionalProperties: true,
    examples: [{ domain: 'a-new-shop.com', install_hash: '0f3c9a6d4b8e21f7', email: 'owner@a-new-shop.com' }],
  },
);

const TrialResponse = closed(
  {
    license_key: t.String({ description: 'license key, returned only once' }),
    client_secret: t.String({
      description:
        'client secret of the setup intent for confirming a card; keep it until then. With `mock` it has no effect',
    }),
    status: t.Union([t.Literal('pending'), t.Literal('trial')], {
      description: '`pending` until the payment processor has confirmed a card',
    }),
    plan: PlanName,
    trial_ends_at: timestamp('end of the trial: 14 days after the first request'),
    mock: t.Optional(
      t.Literal(true, {
        description: 'true for a test license, issued because no payment processor is configured',
      }),
    ),
  },
  'Returns the trial: pending until a card is confirmed or, without a payment processor, started.',
  'Trial',
);
const EXAMPLE = {
  license_key: 'rdt_live_...',
  client_secret: 'seti_1Example_secret_Example',
  status: 'pending',
  plan: TRIAL_PLAN,
  trial_ends_at: '2026-12-06T09:30:00.000Z',
};

type TrialParts = Parts<'config' | 'limits' | 'payments'>;

export const trial = openRoute({
  at: `POST ${TRIAL}`,
  limit: 'license/trial',
  before: ({ limits }: TrialParts) => limits.perTrialNetwork,
  body: pluginBody({ schema: TrialRequest, capBytes: 8 * KIB }),
  operationId: 'startTrial',
  summary: 'Start a 14-day trial for a domain',
  description:
    'Limits: one trial per registrable domain (by the public suffix list; subdomains share it) and per ' +
    'installation, three per mailbox in any spelling, none for IP addresses and public suffixes, and a daily ' +
    'total. A 409 does not name the limit. The license becomes valid once a card is confirmed with ' +
    '`client_secret` within 30 minutes; license/verify detects this automatically. Until then, repeating the ' +
    'request with `client_secret` returns a new key and invalidates the previous one; without it, the ' +
    'response is 409. Unknown fields are ignored. ' +
    EMPTY_COUNTS_AS_ABSENT,
  tag: TAGS.licensing,
  answer: show(TrialResponse, EXAMPLE),
  answers: flat(),
  codes: ['TRIAL_NOT_AVAILABLE', 'RATE_LIMITED', 'PAYMENT_SETUP_FAILED', 'STORE_UNAVAILABLE'],
  handle: async ({ request, set, body }, { limits, config, payments: { enroll } }: TrialParts) => {
    const site = normalizeSiteDomain(body.domain, config.stagingDomains);
    const email = canonicalEmail(body.email);
    if (site === undefined) throw refuse('INVALID_PAYLOAD', 'domain: is not the domain of a site');
    if (email === undefined) throw refuse('INVALID_PAYLOAD', 'email: is not an e-mail address');
    const registrableDomain = trialDomain(site);
    if (!config.trialsEnabled || registrableDomain === undefined) {
      throw trialNotAvailable();
    }
    const enrolled = notRefused(
      await enroll({
        domain: site.name,
        registrableDomain,
        installHash: body.install_hash,
        email: body.email.trim().normalize('NFKC'),
        canonicalEmail: email,
        clientSecret: body.client_secret && trimInvisible(body.client_secret),
        network: limits.networkOf({ request, set }),
        requestId: requestIdOf({ set }),
      }),
    );
    return {
      license_key: enrolled.key,
      client_secret: enrolled.clientSecret,
      status: enrolled.confirmed ? ('trial' as const) : ('pending' as const),
      plan: TRIAL_PLAN,
      trial_ends_at: iso(enrolled.endsAt),
      ...(enrolled.mock ? { mock: true as const } : {}),
    };
  },
});
