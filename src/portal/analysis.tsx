/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import { KIB } from '../http/context.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { DAY_MS } from '../lib/clock.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import { noteWait } from '../pages/html.tsx';
import type { AnalysisAnswer } from '../routes/analysis.ts';
import { AnalysisForm, Answer, type TriedAnalysis } from './analysis-parts.tsx';
import { askUnless } from './ask.ts';
import { gated } from './gated.tsx';
import { PLACES } from './places.ts';
import { acting, page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { ownSite, siteChoices } from './site-choices.ts';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const { path: PATH } = PLACES.analysis;
const WORDS = TEXTS.analysis;
const REFUSED: Readonly<Partial<Record<RefusalCode, string>>> = WORDS.refused;
const REFUSED_CODES = Object.keys(REFUSED) as RefusalCode[];
/** Forms write most characters of code as three: what the interface takes, and is to judge the size of, fits well. */
const CAP_BYTES = 1024 * KIB;
/** Of one license: each leaves an entry in the audit log, which is kept for long. */
const ANALYSES_PER_DAY = 200;

type Analysis = Static<typeof AnalysisAnswer>;

/** The form and its verdict. */
export const analysisPages = (parts: PortalParts) => {
  const asks = new TokenBuckets(ANALYSES_PER_DAY, new BucketRoom(parts.clock.monotonic), DAY_MS);

  const show = async (visit: Visit, tried: TriedAnalysis = {}, answer?: Analysis | Refusal) => {
    const sites = await siteChoices(parts, visit, tried.site);
    const isRefused = isRefusal(answer);
    const problem = isRefused ? (REFUSED[answer.refused] ?? answer.message) : undefined;
    if (isRefused) noteWait(visit.set, answer);
    const children = (
      <Fragment>
        {answer === undefined || isRefused ? null : <Answer of={answer} />}
        <AnalysisForm sites={sites} tried={tried} problem={problem} />
      </Fragment>
    );
    return showPlace(visit, PLACES.analysis, children, { refused: isRefused ? answer.refused : undefined });
  };

  const analyze = async (visit: Visit, { type, content, site }: Required<TriedAnalysis>) => {
    const own = site === '' ? undefined : await ownSite(parts, visit, site);
    if (isRefusal(own)) return own;
    const license = String(visit.caller.license.id);
    const { allowed, retryAfterSeconds } = asks.peek(license);
    if (!allowed) return refuse('RATE_LIMITED', WORDS.refused.RATE_LIMITED, retryAfterSeconds);
    const body = { input_type: type, content, ...(own === undefined ? {} : { site_url: own.url }) };
    const answer = await askUnless<Analysis>(REFUSED_CODES, parts, visit, '/brain/analyze', body);
    if (!isRefusal(answer)) asks.take(license);
    return answer;
  };

  const answer = async (visit: Visit, form: Form) => {
    const { input_type: type = '', content: sent = '', site = '' } = form;
    // Browsers end each line of a form's text with CRLF.
    const content = sent.replaceAll('\r\n', '\n');
    const answer = await analyze(visit, { type, content, site });
    return show(visit, isRefusal(answer) ? { type, content, site } : { type, site }, answer);
  };

  const opened = gated(parts, PLACES.analysis, show);
  const answered = gated(parts, PLACES.analysis, answer);
  return [
    getAt(PATH, page(parts, opened)),
    postAt(PATH, acting(parts, answered, { capBytes: CAP_BYTES, anyTextIn: 'content' })),
  ];
};
