import { Type as t } from '@sinclair/typebox';
import type { JudgeContent, JudgedContent } from '../analysis/analysis.ts';
import { CATEGORY_NAMES } from '../analysis/categories.ts';
import {
  ADDRESSES_MAX,
  addressesIn,
  ENGINE_NAMES,
  INPUT_TYPES,
  type InputType,
} from '../analysis/contents.ts';
import { MALICIOUS_MIN, SUSPICIOUS_MIN, VERDICTS } from '../analysis/verdict.ts';
import { notRefused, refuse } from '../domain/refusal.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { bodySchema } from '../http/body.ts';
import { type Caller, KIB } from '../http/context.ts';
import { show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { oneOf, siteText } from '../http/fields.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import type { Parts } from './parts.ts';

const CAP_BYTES = 64 * KIB;

/** The type of a content, which determines its analysis. */
export const InputTypeName = oneOf(
  INPUT_TYPES,
  '`code`: PHP, JavaScript, HTML or .htaccess; `request`: an HTTP request, its target, its body or a single value; `log`: log lines of servers and programs; `url`: URLs, one per line, at most 1,000 different ones; `text`: text written by people',
);

/** The site of the content. */
export const OwnSiteUrl = siteText(
  "the caller's site: its links count as internal, and imitations of its name are detected",
);

const AnalysisRequest = bodySchema(
  'AnalysisRequest',
  {
    input_type: InputTypeName,
    content: t.String({
      minLength: 1,
      description: 'content as text; the body limit applies to its JSON encoding',
    }),
    site_url: t.Optional(OwnSiteUrl),
  },
  {
    input_type: 'code',
    content: '<?php @eval(base64_decode($_POST["x"]));',
    site_url: 'https://shop.example',
  },
);

/** The verdict on a content, its reasons, and recommended actions. */
export const AnalysisAnswer = typed('Analysis', {
  verdict: oneOf(VERDICTS, 'verdict derived from the score'),
  confidence: t.Number({ minimum: 0, maximum: 1, description: 'confidence in the verdict' }),
  score: t.Integer({
    minimum: 0,
    maximum: 100,
    description: `probability of malice in percent; malicious from ${MALICIOUS_MIN}, suspicious from ${SUSPICIOUS_MIN}`,
  }),
  categories: t.Array(oneOf(CATEGORY_NAMES), {
    description: 'categories of the findings, most significant first',
  }),
  reasons: t.Array(t.String(), {
    description: 'findings and their locations, without quotes of the content',
  }),
  recommendations: t.Array(t.String(), {
    description: 'recommended actions in order; nothing is done automatically',
  }),
  engine: oneOf(
    ENGINE_NAMES,
    '`builtin`: the built-in engine only; `builtin+ai`: with a second opinion from the endpoint configured by the operator; `builtin, ai failed`: that endpoint did not answer, so the built-in verdict applies',
  ),
});
export const ANALYSIS_EXAMPLE = {
  verdict: 'malicious',
  confidence: 0.99,
  score: 99,
  categories: ['web_shell'],
  reasons: ['request input run as PHP, line 1'],
  recommendations: ['Move the file out of reach of the web server, and keep a copy as evidence.'],
  engine: 'builtin',
};

export const shown = (judged: JudgedContent) => ({
  ...judged,
  categories: [...judged.categories],
  reasons: [...judged.reasons],
  recommendations: [...judged.recommendations],
});

export const ANALYSIS_CODES = ['STORE_UNAVAILABLE', 'ANALYSIS_BUSY'] as const;

/** Returns the name of the invalid field with the problem; undefined if the content is valid. */
export function wrongIn(
  inputType: InputType,
  content: string,
  siteUrl: string | undefined,
): string | undefined {
  // Addresses beyond the limit are not analyzed, so the content must not be reported as clean.
  if (inputType === 'url' && addressesIn(content).length > ADDRESSES_MAX)
    return `content: contains more than ${ADDRESSES_MAX} different addresses`;
  return siteUrl !== undefined && normalizeSiteDomain(siteUrl) === undefined
    ? 'site_url: is not a domain or the URL of a site'
    : undefined;
}

export type TallyParts = Parts<'clock' | 'uses' | 'writer'>;

/** Counts verdicts in the statistics of the tenant, in one write, and records whether second opinions are available. */
export async function countVerdicts(
  { writer, clock, uses }: TallyParts,
  judged: readonly JudgedContent[],
  { license, author }: Caller,
): Promise<void> {
  if (judged.some(({ engine }) => engine === 'builtin+ai')) uses.note('second-opinion');
  else if (judged.some(({ engine }) => engine === 'builtin, ai failed')) uses.forget('second-opinion');
  notRefused(
    await writer.write('recordVerdicts', {
      licenseId: license.id,
      verdicts: judged.map(({ verdict, categories }) => ({ verdict, categories })),
      now: clock.now(),
      by: author,
    }),
  );
}

interface AnalysisParts extends TallyParts {
  readonly judgeContent: JudgeContent;
}

/** POST /brain/analyze: analyzes a content. Verdict and categories are counted; the content is not stored. */
export const analysis = bearerRoute({
  at: 'POST /brain/analyze',
  plan: 'pro',
  body: jsonBody({ schema: AnalysisRequest, capBytes: CAP_BYTES, anyTextIn: 'content' }),
  operationId: 'analyzeContent',
  summary: 'Analyze code, a request, log lines, URLs or text',
  description:
    'Requires the plan pro or higher. The analysis runs inside this service, without network access, and never executes the content. Licenses take turns; each can have up to 32 contents queued. The content is neither stored nor logged; the verdict and its categories are counted in the statistics of the tenant.',
  tag: TAGS.tenant,
  answer: show(AnalysisAnswer, ANALYSIS_EXAMPLE, 'Returns the verdict, reasons and recommendations.'),
  codes: ANALYSIS_CODES,
  async handle({ caller, licenseId, request, body }, parts: AnalysisParts) {
    const { input_type: inputType, content, site_url: siteUrl } = body;
    const wrong = wrongIn(inputType, content, siteUrl);
    if (wrong !== undefined) throw refuse('INVALID_PAYLOAD', wrong);
    const by = { licenseId, gone: request.signal };
    const judged = notRefused(await parts.judgeContent({ inputType, content, siteUrl }, by));
    await countVerdicts(parts, [judged], caller);
    return shown(judged);
  },
});
