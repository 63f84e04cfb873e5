import { Type as t } from '@sinclair/typebox';
import type { JudgeContents } from '../analysis/analysis.ts';
import { isLong, WINDOW_CHARS } from '../analysis/contents.ts';
import { notRefused, type Refusal, refuse } from '../domain/refusal.ts';
import { bodySchema } from '../http/body.ts';
import { authenticate } from '../http/caller.ts';
import { type HookContext, KIB } from '../http/context.ts';
import { closed, show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { text } from '../http/fields.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import {
  ANALYSIS_CODES,
  ANALYSIS_EXAMPLE,
  AnalysisAnswer,
  countVerdicts,
  InputTypeName,
  OwnSiteUrl,
  shown,
  type TallyParts,
  wrongIn,
} from './analysis.ts';
import type { Parts } from './parts.ts';

const CAP_BYTES = 1024 * KIB;
const UNIT_BYTES = 64 * KIB;
const ITEMS_MAX = 64;
const ItemId = text({
  minLength: 1,
  maxLength: 512,
  description: 'your ID of the item, such as a path; unique in the batch',
});

const Item = typed('AnalysisItem', {
  id: ItemId,
  input_type: InputTypeName,
  content: t.String({
    minLength: 1,
    maxLength: CAP_BYTES,
    description: `content as text; \`request\` and \`url\` up to ${WINDOW_CHARS} characters`,
  }),
  site_url: t.Optional(OwnSiteUrl),
});

const BatchRequest = bodySchema(
  'AnalysisBatchRequest',
  {
    items: t.Array(
      {
        ...Item,
        examples: [{ id: 'index.php', input_type: 'code', content: '<?php echo "Hello";' }],
      },
      { minItems: 1, maxItems: ITEMS_MAX, description: 'items to analyze; results have the same order' },
    ),
  },
  {
    items: [
      { id: 'index.php', input_type: 'code', content: '<?php echo "Hello";' },
      { id: 'uploads/x.php', input_type: 'code', content: '<?php @eval(base64_decode($_POST["x"]));' },
    ],
  },
);

const ANALYZED = { id: 'uploads/x.php', ...ANALYSIS_EXAMPLE };
const Analyzed = {
  ...typed('AnalyzedItem', { id: ItemId, ...AnalysisAnswer.properties }),
  examples: [ANALYZED],
};
const BatchAnswer = closed(
  { items: t.Array(Analyzed, { description: 'one result per item, in the same order' }) },
  undefined,
  'AnalysisBatch',
);

interface AnalysisBatchParts extends TallyParts, Parts<'findLicense' | 'limits'> {
  readonly judgeContents: JudgeContents;
}

/** POST /brain/analyze/batch: analyzes up to 64 contents, each like POST /brain/analyze. */
export const analysisBatch = bearerRoute({
  at: 'POST /brain/analyze/batch',
  authenticate: ({ findLicense, limits }: AnalysisBatchParts) => {
    const unitsOf = unitsUpTo(limits.keyPolicy.limit);
    return authenticate(findLicense, limits, { unitsOf: (request) => unitsOf(declaredBytes(request)) });
  },
  plan: 'pro',
  body: jsonBody({
    schema: BatchRequest,
    capBytes: CAP_BYTES,
    anyTextIn: 'items.*.content',
  }),
  arrived: ({ limits }: AnalysisBatchParts) => {
    const unitsOf = unitsUpTo(limits.keyPolicy.limit);
    return async ({ request, set }, bytes) => {
      // The declared length was charged before the body was read; the rest is charged now.
      const [taken, again] = [unitsOf(declaredBytes(request)), unitsOf(bytes)];
      const { inside, licenseId } = set.exchange ?? {};
      if (again > taken && !inside && licenseId !== undefined)
        await limits.spendKey({ request, set }, licenseId, { now: again - taken, again });
    };
  },
  operationId: 'analyzeBatch',
  summary: 'Analyze up to 64 contents in a batch',
  description:
    'Requires the plan pro or higher; for checking whole sites. Each item is analyzed like `POST /brain/analyze`. Contents over 64 KiB are analyzed in overlapping windows; the worst verdict counts. Each started 64 KiB of the body costs one request of the limit per key, up to the whole limit. If the remaining limit is too low or an item is invalid, the whole batch is refused. A batch takes one place in the queue. When its turn comes, one of its contents or windows is analyzed. A license can have up to 4 batches in progress. A second opinion is requested for the first two suspicious contents of up to 64 KiB. Refused batches are not counted.',
  tag: TAGS.tenant,
  answer: show(BatchAnswer, { items: [ANALYZED] }, 'Returns one result per item, in the same order.'),
  codes: ANALYSIS_CODES,
  async handle({ caller, licenseId, request, body: { items } }, parts: AnalysisBatchParts) {
    const refused = wrongItem(items);
    if (refused) throw refused;
    const contents = items.map(({ input_type: inputType, content, site_url: siteUrl }) => ({
      inputType,
      content,
      siteUrl,
    }));
    const judged = notRefused(await parts.judgeContents(contents, { licenseId, gone: request.signal }));
    await countVerdicts(parts, judged, caller);
    return { items: judged.map((each, index) => ({ id: items[index]?.id ?? '', ...shown(each) })) };
  },
});

/** Returns the requests that a body of a given size is charged as, at most the whole limit. */
const unitsUpTo =
  (limit: number) =>
  (bytes: number): number =>
    Math.min(limit, Math.max(1, Math.ceil(bytes / UNIT_BYTES)));

/** Returns the declared length of a body; 0 if there is none, or if the body will be refused unread. */
function declaredBytes({ headers }: HookContext['request']): number {
  const declared = Number(headers.get('content-length') ?? 0);
  return headers.has('transfer-encoding') || !(declared <= CAP_BYTES) ? 0 : declared;
}

/** Returns a refusal of the first invalid item. It names the index, because id and content are the caller's. */
function wrongItem(items: readonly (typeof Item)['static'][]): Refusal | undefined {
  const indexes = new Map<string, number>();
  for (const [index, { id, input_type, content, site_url }] of items.entries()) {
    const wrong = (what: string) => refuse('INVALID_PAYLOAD', `items[${index}].${what}`);
    const first = indexes.get(id);
    if (first !== undefined) return wrong(`id: repeats the id of items[${first}]`);
    indexes.set(id, index);
    const isWhole = input_type === 'request' || input_type === 'url';
    if (isWhole && isLong(content))
      return wrong(`content: a ${input_type} can have at most ${WINDOW_CHARS} characters`);
    const inContent = wrongIn(input_type, content, site_url);
    if (inContent !== undefined) return wrong(inContent);
  }
  return undefined;
}
