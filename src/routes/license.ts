import { type Static, Type as t } from '@sinclair/typebox';
import type { Catalog } from '../domain/license/catalog.ts';
import type { Standing } from '../domain/license/license.ts';
import {
  admissionOf,
  bindingOf,
  disclosedReasonOf,
  type Verification,
  verificationOf,
} from '../domain/license/verification.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { bearerKey, type FoundLicense, noteLicense } from '../http/caller.ts';
import { complete, GUARDING_HEADERS, type HookContext, KIB } from '../http/context.ts';
import { flat, nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { BEARER_OPTIONAL, TAGS } from '../http/contract/contract.ts';
import { created, openRoute, pluginBody } from '../http/route/index.ts';
import { EMPTY_COUNTS_AS_ABSENT } from '../http/schema-check.ts';
import { ACCEPT_SIGNATURE } from '../http/signed-replies.ts';
import { isoOrNull } from '../lib/clock.ts';
import { whenReady } from '../lib/when-ready.ts';
import { EXAMPLE_MODULES, LicenseStateName, ModuleNames, PlanName } from './auth.ts';
import type { Parts } from './parts.ts';

export const LICENSE_VERIFY = '/license/verify';

const VerifyRequest = t.Object(
  {
    api_key: t.Optional(t.String({ description: 'legacy: used only without a Bearer header' })),
    domain: t.Optional(
      t.String({ description: 'domain or URL of the site; required if the key is in the body' }),
    ),
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
    description:
      'always false: the key is unknown, revoked, expired, pending, suspended, or bound to another domain',
  }),
  plan: t.Literal('free', { description: 'plan of an invalid license' }),
  modules_allowed: ModuleNames,
};

const Valid = typed('ValidLicense', {
  valid: t.Literal(true, {
    description: 'always true: the license is active or in trial, and valid for this domain',
  }),
  plan: PlanName,
  modules_allowed: ModuleNames,
  modules: t.Array(t.String(), { description: 'alias of modules_allowed' }),
  status: LicenseStateName,
  domain_bound: t.Boolean({ description: 'whether at least one domain is registered' }),
  trial_ends_at: nullable(timestamp('end of the trial; null if not in trial')),
});
type Valid = Static<typeof Valid>;

const VerifyResponse = t.Union(
  [
    Valid,
    typed('InvalidLicense', {
      ...invalidFields,
      reason: t.Optional(t.Literal('suspended', { description: 'reason; no other is disclosed' })),
    }),
  ],
  {
    title: 'LicenseVerification',
    description: 'Returns the result for every well-formed request, including for invalid licenses.',
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

const SIGNATURE_PARAMETER = {
  name: ACCEPT_SIGNATURE,
  in: 'header' as const,
  required: false,
  description:
    'requests a signed response with this label and nonce: 1 to 128 of the characters A-Z a-z 0-9 + / = _ . ~ : -. The covered components are fixed. Malformed values are ignored',
  schema: { type: 'string' as const, example: 'sig=();nonce="q83vEjRWeJCrze8SNFZ4kA=="' },
};

/** Fields that every failure of license/verify contains as well. */
export const invalidLicense = (catalog: Catalog) => ({
  valid: false as const,
  plan: 'free' as const,
  modules_allowed: [...catalog.free.modules],
});

/** Serialized answers. Sites verify often, and `standing` is the same object until the license changes. */
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

function noteVerification(
  { exchange }: HookContext['set'],
  verification: Verification,
  domain: string | undefined,
): void {
  if (exchange === undefined) return;
  exchange.verification = verification;
  if (verification !== 'valid') exchange.refusedDomain = domain;
}

/** A verification request. */
interface Asked extends Pick<HookContext, 'set'> {
  readonly key: string;
  readonly domain: string | undefined;
}

type LicenseParts = Parts<'catalog' | 'clock' | 'config' | 'findLicense' | 'payments' | 'uses' | 'writer'>;

export const license = openRoute({
  at: `POST ${LICENSE_VERIFY}`,
  limit: 'license/verify',
  body: pluginBody({ schema: VerifyRequest, capBytes: 8 * KIB, whenEmpty: () => ({}) }),
  operationId: 'verifyLicense',
  summary: 'Verify a license and get its modules',
  description:
    'Send the key in a Bearer header or, in older plugins, in the body, not in the query string. With a Bearer ' +
    'header the body can be empty. Live licenses register a new domain on first use while a site is free, ' +
    'unless the operator has blocked the domain. Unknown fields are ignored. ' +
    EMPTY_COUNTS_AS_ABSENT +
    ' With a nonce in Accept-Signature, every response except 429 and 5xx is signed (RFC 9421) with the key ' +
    '`reply` from `/.well-known/redoubt-keys`. Clients that request a signature must ignore unsigned responses.',
  tag: TAGS.licensing,
  parameters: [SIGNATURE_PARAMETER],
  security: BEARER_OPTIONAL,
  answer: show(VerifyResponse, EXAMPLE),
  answers: flat(invalidFields),
  codes: ['RATE_LIMITED', 'STORE_UNAVAILABLE'],
  handle: created(({ catalog, findLicense, writer, clock, config, payments, uses }: LicenseParts) => {
    const invalid = invalidLicense(catalog);

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

    /** Decides whether a valid license may be used for a domain. */
    const admission = (found: FoundLicense, domain: string): Verification | Promise<Verification> => {
      const { sitesAllowed } = found.standing;
      const site = bindingOf(found.license, sitesAllowed, domain, config.stagingDomains);
      return site.binding === 'free_site' ? claim(found, site.domain) : admissionOf(site.binding);
    };

    const answer = ({ set, domain }: Asked, found: FoundLicense | undefined, verification: Verification) => {
      noteVerification(set, verification, domain);
      const reason = disclosedReasonOf(verification);
      if (reason) return { ...invalid, reason };
      if (found === undefined || verification !== 'valid') return invalid;
      uses.note('license-verify', found.license.id);
      return complete(set, 200, validText(found), VALID_HEADERS);
    };

    /** Answers with the license as it is after a domain was claimed. */
    const answerClaimed = async (asked: Asked, claimed: Verification) => {
      const found = await findLicense(asked.key);
      return answer(asked, found, claimed === 'valid' ? verificationOf(found?.standing) : claimed);
    };

    const verify = (asked: Asked, found: FoundLicense | undefined) => {
      noteLicense(asked.set, found);
      const verification = verificationOf(found?.standing);
      if (found === undefined || verification !== 'valid' || asked.domain === undefined)
        return answer(asked, found, verification);
      const admitted = admission(found, asked.domain);
      return admitted instanceof Promise
        ? admitted.then((claimed) => answerClaimed(asked, claimed))
        : answer(asked, found, admitted);
    };

    /** Checks whether the card of a pending license is confirmed, and returns the license again. */
    const confirmed = async (key: string, { license: { id } }: FoundLicense) => {
      await payments.confirmPending(id);
      return findLicense(key);
    };

    // Synchronous if the license is cached and no domain has to be registered.
    return ({ request, set, body: { api_key: sent, domain } }) => {
      const fromHeader = bearerKey(request);
      const key = fromHeader ?? sent;
      if (key === undefined) throw refuse('INVALID_PAYLOAD', 'Send a Bearer header, or api_key and domain.');
      if (fromHeader === undefined && domain === undefined) {
        throw refuse('INVALID_PAYLOAD', 'domain is required when the key is in the body.');
      }
      return whenReady(findLicense(key), (known) => {
        const found = known?.standing.state === 'pending' ? confirmed(key, known) : known;
        return whenReady(found, (license) => verify({ set, key, domain }, license));
      });
    };
  }),
});
