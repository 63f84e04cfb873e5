import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import type { JudgedContent } from '../analysis/analysis.ts';
import { CATEGORY_NAMES } from '../analysis/categories.ts';
import {
  ADDRESSES_MAX,
  addressesIn,
  ENGINE_NAMES,
  INPUT_TYPES,
  type InputType,
} from '../analysis/contents.ts';
import { MALICIOUS_MIN, SUSPICIOUS_MIN, VERDICTS } from '../analysis/verdict.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { bodySchema, readJson } from '../http/body.ts';
import { type Caller, KIB } from '../http/context.ts';
import { answers, BEARER_CODES, BODY_CODES, show, success, typed } from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { oneOf, siteText } from '../http/fields.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { checkBody } from '../http/schema-check.ts';
import type { Parts } from './parts.ts';

const CAP_BYTES = 64 * KIB;

/** What a content is, and so how it is read. */
export const InputTypeName = oneOf(
  INPUT_TYPES,
  '`code`: PHP, JavaScript, a page or an .htaccess; `request`: an HTTP request, its target, body or one ' +
    'value; `log`: log lines of servers and programs; `url`: addresses, one in a line, at most 1,000 different ones; `text`: what ' +
    'people write',
);

/** The site that a content is from. */
export const OwnSiteUrl = siteText(
  "the caller's own site, whose links are its own and whose name others may imitate",
);

const AnalysisRequest = bodySchema(
  'AnalysisRequest',
  {
    input_type: InputTypeName,
    content: t.String({
      minLength: 1,
      description: 'as text; the cap of the body counts it as JSON writes it',
    }),
    site_url: t.Optional(OwnSiteUrl),
  },
  {
    input_type: 'code',
    content: '<?php @eval(base64_decode($_POST["x"]));',
    site_url: 'https://shop.example',
  },
);

/** What a content is, by what signs, and what to do about it. */
export const AnalysisAnswer = typed('Analysis', {
  verdict: oneOf(VERDICTS, 'the score in a word'),
  confidence: t.Number({ minimum: 0, maximum: 1, description: 'how sure the verdict is' }),
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: `probability of malice in percent; malicious from ${MALICIOUS_MIN}, suspicious from ${SUSPICIOUS_MIN}`,
  }),
  categories: t.Array(oneOf(CATEGORY_NAMES), {
    description: 'what the findings belong to, weightiest first',
  }),
  reasons: t.Array(t.String(), { description: 'what was seen and where; never a piece of the content' }),
  recommendations: t.Array(t.String(), { description: 'what to do, in order; nothing is done by itself' }),
  engine: oneOf(
    ENGINE_NAMES,
    '`builtin`: the engine in this service alone; `builtin+ai`: with the second opinion of the endpoint that ' +
      'the operator set; `builtin, ai failed`: that endpoint gave none, and the built-in verdict stands',
  ),
});
export const ANALYSIS_EXAMPLE = {
  verdict: 'malicious',
  confidence: 0.99,
  score: 99,
  categories: ['web_shell'],
  reasons: ['request input run as PHP, line 1'],
  recommendations: ['Take the file out of reach of the web server and keep a copy as evidence.'],
  engine: 'builtin',
};

/** An analysis as it is answered. */
export const shown = (judged: JudgedContent) => ({
  ...judged,
  categories: [...judged.categories],
  reasons: [...judged.reasons],
  recommendations: [...judged.recommendations],
});

/** Why a request for an analysis may be refused. */
export const ANALYSIS_CODES = [
  ...BEARER_CODES,
  ...BODY_CODES,
  'PLAN_REQUIRED',
  'STORE_UNAVAILABLE',
  'ANALYSIS_BUSY',
] as const;

/** What is wrong with a content, by the name of its field; undefined when nothing is. */
export function wrongIn(
  inputType: InputType,
  content: string,
  siteUrl: string | undefined,
): string | undefined {
  // What is not read cannot be called clean.
  if (inputType === 'url' && addressesIn(content).length > ADDRESSES_MAX)
    return `content: holds more than ${ADDRESSES_MAX} different addresses`;
  return siteUrl !== undefined && normalizeSiteDomain(siteUrl) === undefined
    ? 'site_url: is not a domain or the URL of a site'
    : undefined;
}

/** Counts verdicts for the tenant's tally, in one write, and notes whether second opinions are to be had. */
export const countVerdicts =
  ({ writer, clock, uses }: Pick<Parts, 'writer' | 'clock' | 'uses'>) =>
  async (judged: readonly JudgedContent[], { license, author }: Caller): Promise<void> => {
    if (judged.some(({ engine }) => engine === 'builtin+ai')) uses.note('second-opinion');
    else if (judged.some(({ engine }) => engine === 'builtin, ai failed')) uses.forget('second-opinion');
    const refusal = await writer.write('recordVerdicts', {
      licenseId: license.id,
      verdicts: judged.map(({ verdict, categories }) => ({ verdict, categories })),
      now: clock.now(),
      by: author,
    });
    if (isRefusal(refusal)) throw refusal;
  };

/** POST /brain/analyze: judges a content; keeps verdict and categories as counters, and nothing of the content. */
export const analysis = (parts: Parts) => {
  const { authenticate, judgeContent } = parts;
  const count = countVerdicts(parts);
  return new Elysia()
    .derive(authenticate)
    .derive(requirePlan('pro'))
    .onTransform(readJson({ capBytes: CAP_BYTES, anyTextIn: 'content' }))
    .onTransform(checkBody(AnalysisRequest))
    .post(
      '/brain/analyze',
      async ({ caller, request, body: { input_type, content, site_url } }) => {
        const wrong = wrongIn(input_type, content, site_url);
        if (wrong !== undefined) throw refuse('INVALID_PAYLOAD', wrong);
        const { id: licenseId } = caller.license;
        const judged = await judgeContent(
          { inputType: input_type, content, siteUrl: site_url },
          { licenseId, gone: request.signal },
        );
        if (isRefusal(judged)) throw judged;
        await count([judged], caller);
        return success(shown(judged));
      },
      {
        body: AnalysisRequest,
        response: answers(
          show(
            AnalysisAnswer,
            ANALYSIS_EXAMPLE,
            'What the content is, by what signs, and what to do about it.',
          ),
          ...ANALYSIS_CODES,
        ),
        detail: {
          operationId: 'analyzeContent',
          summary: 'Analyse code, a request, log lines, addresses or a text',
          description:
            'Plan pro or greater. The analysis runs inside of this service, without network, and ' +
            'never runs what it is given. Licenses take turns; up to 32 contents of one wait. The content is not stored and ' +
            "not logged; the verdict and its categories are counted for the tenant's tally.",
          tags: [TAGS.tenant],
          security: BEARER_SECURITY,
        },
      },
    );
};
