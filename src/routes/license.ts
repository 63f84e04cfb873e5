import type { Static } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { LICENSE_STATES } from '../domain/license.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { normalizeSiteDomain } from '../domain/site-domain.ts';
import { BODY_CODES, closed, flatAnswers, nullable, timestamp } from '../http/answers.ts';
import { bodyOf } from '../http/body.ts';
import { bearerKey, type Caller } from '../http/caller.ts';
import { completeJson, KIB } from '../http/context.ts';
import { BEARER_OPTIONAL, TAGS } from '../http/contract.ts';
import type { DirectRoute } from '../http/direct.ts';
import { checker } from '../http/schema-check.ts';
import type { Parts } from '../parts.ts';
import { PlanName } from './auth.ts';
import { isoOrNull } from './timestamps.ts';

export const LICENSE_VERIFY = '/license/verify';

const VerifyRequest = t.Object(
  {
    api_key: t.Optional(
      t.String({ description: 'legacy location; used only when no Bearer header is sent' }),
    ),
    domain: t.Optional(t.String({ description: 'required when the key is in the body' })),
  },
  { examples: [{ domain: 'shop.example' }] },
);

const invalidFields = {
  valid: t.Literal(false),
  plan: t.Literal('free'),
  modules_allowed: t.Array(t.String()),
};

const VerifyResponse = t.Union(
  [
    closed({
      valid: t.Literal(true),
      plan: PlanName,
      modules_allowed: t.Array(t.String()),
      modules: t.Array(t.String(), { description: 'alias of modules_allowed' }),
      status: t.Union(LICENSE_STATES.map((state) => t.Literal(state))),
      domain_bound: t.Boolean({ description: 'whether at least one domain is registered' }),
      trial_ends_at: nullable(timestamp('while in trial, else null')),
    }),
    closed({
      ...invalidFields,
      reason: t.Optional(t.Literal('suspended', { description: 'the only disclosed reason' })),
    }),
  ],
  { description: 'Every well-formed request, also for a license that is not valid.' },
);

/** What each flat failure of license/verify also says. */
export const invalidLicense = ({ catalog }: Pick<Parts, 'catalog'>) => ({
  valid: false as const,
  plan: 'free' as const,
  modules_allowed: [...catalog.free.modules],
});

/** POST /license/verify, whole (http/direct.ts). */
export const answerLicenseVerify = (parts: Parts): DirectRoute => {
  const { limits, findLicense, writer, clock, config, payments } = parts;
  const invalid = invalidLicense(parts);
  const limitAddress = limits.perIp('license/verify');
  const checked = checker(VerifyRequest);

  /** Registers a domain on first use; false when the license has no free site. */
  const claim = async ({ license, standing }: Omit<Caller, 'key'>, domain: string) => {
    if (license.domains.length >= standing.sitesAllowed) return false;
    const { sitesAllowed } = standing;
    const refusal = await writer.write('claimDomain', {
      licenseId: license.id,
      domain,
      sitesAllowed,
      now: clock.now(),
    });
    if (isRefusal(refusal) && refusal.refused === 'STORE_UNAVAILABLE') throw refusal;
    return refusal === undefined;
  };

  /** Whether the license may be used from a domain. */
  const admits = (found: Omit<Caller, 'key'>, domain: string): boolean | Promise<boolean> => {
    const site = normalizeSiteDomain(domain, config.stagingDomains);
    if (site === undefined) return false;
    const { environment, domains } = found.license;
    return environment === 'test' || !site.counted || domains.includes(site.name) || claim(found, site.name);
  };

  const verdict = async (request: Request, { api_key, domain }: Static<typeof VerifyRequest>) => {
    const fromHeader = bearerKey(request);
    const key = fromHeader ?? api_key;
    if (key === undefined) throw refuse('INVALID_PAYLOAD', 'Send a Bearer header, or api_key and domain.');
    if (fromHeader === undefined && domain === undefined) {
      throw refuse('INVALID_PAYLOAD', 'domain is required when the key is in the body.');
    }
    let found = findLicense(key);
    if (found?.standing.state === 'pending') {
      await payments.confirmPending(found.license.id);
      found = findLicense(key);
    }
    if (found?.standing.state === 'suspended') return { ...invalid, reason: 'suspended' as const };
    if (!found?.standing.valid) return invalid;
    const admitted = domain === undefined || admits(found, domain);
    if (!(admitted === true || (await admitted))) return invalid;

    const { standing } = found;
    const { domains } = findLicense(key)?.license ?? found.license;
    return {
      valid: true as const,
      plan: standing.plan,
      modules_allowed: standing.modules,
      modules: standing.modules,
      status: standing.state,
      domain_bound: domains.length > 0,
      trial_ends_at: isoOrNull(standing.trialEndsAt),
    };
  };

  return async (context) => {
    limitAddress(context);
    const body = checked(await bodyOf(context, { capBytes: 8 * KIB, whenEmpty: () => ({}) }));
    return completeJson(context.set, 200, await verdict(context.request, body));
  };
};

export const license = (answer: DirectRoute) =>
  new Elysia().post(LICENSE_VERIFY, ({ request, set }) => answer({ request, set }), {
    response: flatAnswers(VerifyResponse, invalidFields, ...BODY_CODES, 'RATE_LIMITED', 'STORE_UNAVAILABLE'),
    detail: {
      summary: 'Verify a license and get its modules',
      description:
        'The key comes in a Bearer header or, from older plugins, in the body; never in the query string. ' +
        'A live license registers a new domain on first use while it has a free site.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: VerifyRequest as object } },
      },
      tags: [TAGS.licensing],
      security: BEARER_OPTIONAL,
    },
  });
