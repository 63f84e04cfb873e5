import { Elysia, t } from 'elysia';
import { canonicalEmail } from '../domain/license/email.ts';
import { TRIAL_PLAN, trialNotAvailable } from '../domain/license/trial.ts';
import { trialDomain } from '../domain/license/trial-domain.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { readJson } from '../http/body.ts';
import { KIB, requestIdOf } from '../http/context.ts';
import { BODY_CODES, closed, flatAnswers, show, timestamp } from '../http/contract/answers.ts';
import { withClientValues } from '../http/contract/client-values.ts';
import { PUBLIC, TAGS } from '../http/contract/contract.ts';
import { emailText, siteText } from '../http/fields.ts';
import { checkPluginBody, EMPTY_COUNTS_AS_ABSENT } from '../http/schema-check.ts';
import { iso } from '../lib/clock.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { PlanName } from './auth.ts';
import type { Parts } from './parts.ts';

export const TRIAL = '/license/trial';

const TrialRequest = t.Object(
  {
    domain: siteText('of the site, a name or a URL'),
    install_hash: t.String({
      pattern: '^[A-Za-z0-9_-]{16,128}$',
      description: 'opaque, one for each installation',
    }),
    email: emailText('only a keyed hash of it is kept'),
    client_secret: t.Optional(
      t.String({
        maxLength: 255,
        description: 'of the first answer: repeats a request that waits for its card, for a fresh key',
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
    license_key: t.String({ description: 'shown only now' }),
    client_secret: t.String({
      description:
        'of the setup intent with which a card is confirmed; keep it until then. With `mock`, it is good for nothing',
    }),
    status: t.Union([t.Literal('pending'), t.Literal('trial')], {
      description: '`pending` until the payment processor has confirmed a card',
    }),
    plan: PlanName,
    trial_ends_at: timestamp('14 days after the first request'),
    mock: t.Optional(
      t.Literal(true, { description: 'no payment processor is configured: this is a test license' }),
    ),
  },
  'The trial waits for its card; or, without a payment processor, has begun.',
  'Trial',
);
const EXAMPLE = {
  license_key: 'rdt_live_...',
  client_secret: 'seti_1Example_secret_Example',
  status: 'pending',
  plan: TRIAL_PLAN,
  trial_ends_at: '2026-12-06T09:30:00.000Z',
};

export const trial = ({ limits, config, payments: { enroll } }: Parts) =>
  new Elysia()
    .derive(limits.perIp('license/trial'))
    .derive(limits.perTrialNetwork)
    .onTransform(readJson({ capBytes: 8 * KIB }))
    .onTransform(checkPluginBody(TrialRequest))
    .post(
      TRIAL,
      async ({ request, set, body }) => {
        const site = normalizeSiteDomain(body.domain, config.stagingDomains);
        const email = canonicalEmail(body.email);
        if (site === undefined) throw refuse('INVALID_PAYLOAD', 'domain: is not the domain of a site');
        if (email === undefined) throw refuse('INVALID_PAYLOAD', 'email: is not an e-mail address');
        const registrableDomain = trialDomain(site);
        if (!config.trialsEnabled || registrableDomain === undefined) {
          throw trialNotAvailable();
        }
        const enrolled = await enroll({
          domain: site.name,
          registrableDomain,
          installHash: body.install_hash,
          email: body.email.trim().normalize('NFKC'),
          canonicalEmail: email,
          clientSecret: body.client_secret && trimInvisible(body.client_secret),
          network: limits.networkOf({ request, set }),
          requestId: requestIdOf({ set }),
        });
        if (isRefusal(enrolled)) throw enrolled;
        return {
          license_key: enrolled.key,
          client_secret: enrolled.clientSecret,
          status: enrolled.confirmed ? ('trial' as const) : ('pending' as const),
          plan: TRIAL_PLAN,
          trial_ends_at: iso(enrolled.endsAt),
          ...(enrolled.mock ? { mock: true as const } : {}),
        };
      },
      {
        body: withClientValues(TrialRequest),
        response: flatAnswers(
          show(TrialResponse, EXAMPLE),
          {},
          ...BODY_CODES,
          'TRIAL_NOT_AVAILABLE',
          'RATE_LIMITED',
          'PAYMENT_SETUP_FAILED',
          'STORE_UNAVAILABLE',
        ),
        detail: {
          operationId: 'startTrial',
          summary: 'Enroll a domain in a 14-day trial',
          description:
            'One trial for each registrable domain (by the public suffix list, so that subdomains have none of their ' +
            'own) and installation, at most three for each mailbox, however its address is spelt; none for IP ' +
            'addresses and public suffixes; a bounded number a day in all. A conflict does not say which rule was ' +
            'hit. The license is good once a card is confirmed with `client_secret`, within 30 minutes; ' +
            'license/verify finds out by itself. Until then, the same request with that `client_secret` gives a fresh ' +
            'key and ends the one before; without it, 409. Unknown fields are ignored. ' +
            EMPTY_COUNTS_AS_ABSENT,
          tags: [TAGS.licensing],
          security: PUBLIC,
        },
      },
    );
