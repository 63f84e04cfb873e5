import { Elysia, type Static, t } from 'elysia';
import type { Standing } from '../domain/license/license.ts';
import {
  admissionOf,
  bindingOf,
  disclosedReasonOf,
  type Verification,
  verificationOf,
} from '../domain/license/verification.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { readJson } from '../http/body.ts';
import { bearerKey, type FoundLicense, noteLicense } from '../http/caller.ts';
import { complete, GUARDING_HEADERS, type HookContext, KIB } from '../http/context.ts';
import { BODY_CODES, flatAnswers, nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { withClientValues } from '../http/contract/client-values.ts';
import { BEARER_OPTIONAL, TAGS } from '../http/contract/contract.ts';
import { checkPluginBody, EMPTY_COUNTS_AS_ABSENT } from '../http/schema-check.ts';
import { ACCEPT_SIGNATURE } from '../http/signed-replies.ts';
import { isoOrNull } from '../lib/clock.ts';
import { EXAMPLE_MODULES, LicenseStateName, ModuleNames, PlanName } from './auth.ts';
import type { Parts } from './parts.ts';

export const LICENSE_VERIFY = '/license/verify';

const VerifyRequest = t.Object(
  {
    api_key: t.Optional(
      t.String({ description: 'legacy location; used only when no Bearer header is sent' }),
    ),
    domain: t.Optional(t.String({ description: 'a name or a URL; required when the key is in the body' })),
  },
  {
    title: 'LicenseVerificationRequest',
    // Deployed plugins may be newer than this server.
    additionalProperties: true,
    examples: [{ domain: 'shop.example' }],
  },
);

const invalidFields = {
  valid: t.Literal(false, {
    description: 'unknown, revoked, expired, pending, suspended or of another domain',
  }),
  plan: t.Literal('free', { description: 'what a license that is not valid is worth' }),
  modules_allowed: ModuleNames,
};

const Valid = typed('ValidLicense', {
  valid: t.Literal(true, { description: 'active or in trial, and for this domain' }),
  plan: PlanName,
  modules_allowed: ModuleNames,
  modules: t.Array(t.String(), { description: 'alias of modules_allowed' }),
  status: LicenseStateName,
  domain_bound: t.Boolean({ description: 'whether at least one domain is registered' }),
  trial_ends_at: nullable(timestamp('while in trial, else null')),
});
type Valid = Static<typeof Valid>;

const VerifyResponse = t.Union(
  [
    Valid,
    typed('InvalidLicense', {
      ...invalidFields,
      reason: t.Optional(t.Literal('suspended', { description: 'the only disclosed reason' })),
    }),
  ],
  {
    title: 'LicenseVerification',
    description: 'Every well-formed request, also for a license that is not valid.',
  },
);
const EXAMPLE = {
  valid: true,
  plan: 'pro',
  modules_allowed: EXAMPLE_MODULES,
  modules: EXAMPLE_MODULES,
  status: 'active',
  domain_bound: true,
  trial_ends_at: null,
};

const SIGNATURE_WANTED = {
  name: ACCEPT_SIGNATURE,
  in: 'header' as const,
  required: false,
  description:
    'asks for a signature under this label and with this nonce, 1 to 128 of the characters A-Z a-z 0-9 + / = _ . ~ : -; what is ' +
    'covered is always the same. One that cannot be read asks for nothing',
  schema: { type: 'string' as const, example: 'sig=();nonce="q83vEjRWeJCrze8SNFZ4kA=="' },
};

/** What each flat failure of license/verify also says. */
export const invalidLicense = ({ catalog }: Pick<Parts, 'catalog'>) => ({
  valid: false as const,
  plan: 'free' as const,
  modules_allowed: [...catalog.free.modules],
});

/** Sites ask all day, and a license has one standing object as long as nothing changes. */
const validTexts = new WeakMap<Standing, string>();
const VALID_HEADERS = new Headers({ ...GUARDING_HEADERS, 'content-type': 'application/json;charset=utf-8' });

function validText({ license, standing }: FoundLicense): string {
  const known = validTexts.get(standing);
  if (known !== undefined) return known;
  const text = JSON.stringify({
    valid: true,
    plan: standing.plan,
    modules_allowed: [...standing.modules],
    modules: [...standing.modules],
    status: standing.state,
    domain_bound: license.domains.length > 0,
    trial_ends_at: isoOrNull(standing.trialEndsAt),
  } satisfies Valid);
  validTexts.set(standing, text);
  return text;
}

const noteVerification = ({ exchange }: HookContext['set'], verification: Verification): void => {
  if (exchange) exchange.verification = verification;
};

export const license = (parts: Parts) => {
  const { limits, findLicense, writer, clock, config, payments, uses } = parts;
  const invalid = invalidLicense(parts);

  /** Registers a domain on first use. */
  const claim = async ({ license, standing }: FoundLicense, domain: string): Promise<Verification> => {
    const { sitesAllowed } = standing;
    const refusal = await writer.write('claimDomain', {
      licenseId: license.id,
      domain,
      sitesAllowed,
      now: clock.now(),
    });
    if (!isRefusal(refusal)) return 'valid';
    if (refusal.refused === 'STORE_UNAVAILABLE') throw refusal;
    return refusal.refused === 'SITE_LIMIT_REACHED' ? 'site_limit_reached' : 'blocked_domain';
  };

  /** Whether a valid license may be used from a domain. */
  const admission = (found: FoundLicense, domain: string): Verification | Promise<Verification> => {
    const { sitesAllowed } = found.standing;
    const site = bindingOf(found.license, sitesAllowed, domain, config.stagingDomains);
    return site.binding === 'free_site' ? claim(found, site.domain) : admissionOf(site.binding);
  };

  return new Elysia()
    .derive(limits.perIp('license/verify'))
    .onTransform(readJson({ capBytes: 8 * KIB, whenEmpty: () => ({}) }))
    .onTransform(checkPluginBody(VerifyRequest))
    .post(
      LICENSE_VERIFY,
      async ({ request, set, body }) => {
        const fromHeader = bearerKey(request);
        const key = fromHeader ?? body.api_key;
        if (key === undefined)
          throw refuse('INVALID_PAYLOAD', 'Send a Bearer header, or api_key and domain.');
        if (fromHeader === undefined && body.domain === undefined) {
          throw refuse('INVALID_PAYLOAD', 'domain is required when the key is in the body.');
        }
        const known = findLicense(key);
        let found = known instanceof Promise ? await known : known;
        if (found?.standing.state === 'pending') {
          await payments.confirmPending(found.license.id);
          found = await findLicense(key);
        }
        noteLicense(set, found);
        let verification = verificationOf(found?.standing);
        if (found && verification === 'valid' && body.domain !== undefined) {
          const admitted = admission(found, body.domain);
          if (typeof admitted === 'string') {
            verification = admitted;
          } else {
            const claimed = await admitted;
            found = await findLicense(key);
            verification = claimed === 'valid' ? verificationOf(found?.standing) : claimed;
          }
        }
        noteVerification(set, verification);
        const reason = disclosedReasonOf(verification);
        if (reason) return { ...invalid, reason };
        if (found === undefined || verification !== 'valid') return invalid;

        uses.note('license-verify', found.license.id);
        return complete(set, 200, validText(found), VALID_HEADERS);
      },
      {
        body: withClientValues(VerifyRequest),
        response: flatAnswers(
          show(VerifyResponse, EXAMPLE),
          invalidFields,
          ...BODY_CODES,
          'RATE_LIMITED',
          'STORE_UNAVAILABLE',
        ),
        detail: {
          operationId: 'verifyLicense',
          summary: 'Verify a license and get its modules',
          description:
            'The key comes in a Bearer header or, from older plugins, in the body; never in the query string. With a ' +
            'Bearer header the body may be empty. ' +
            'A live license registers a new domain on first use while it has a free site, unless the operator has ' +
            'blocked it. Unknown fields are ignored. ' +
            EMPTY_COUNTS_AS_ABSENT +
            ' With an Accept-Signature that holds a nonce, every answer but 429 and 5xx is signed ' +
            '(RFC 9421) by the key `reply` of `/.well-known/redoubt-keys`: to whoever asked, an unsigned answer is none.',
          tags: [TAGS.licensing],
          parameters: [SIGNATURE_WANTED],
          security: BEARER_OPTIONAL,
        },
      },
    );
};
