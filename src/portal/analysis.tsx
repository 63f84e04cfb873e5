/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import { KIB } from '../http/context.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import type { UploadedFile } from '../http/upload.ts';
import { DAY_MS } from '../lib/clock.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import { TurnsByKey } from '../lib/turns.ts';
import { noteWait } from '../pages/html.tsx';
import { AnalysisForm, Answers, type CheckedItem, type TriedAnalysis } from './analysis-parts.tsx';
import { askUnless } from './ask.ts';
import { type CheckItem, itemsOf } from './file-check-items.ts';
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
const CAP_BYTES = 1024 * KIB;
const FILES_MAX = 20;
/** Limit per license, because each analysis adds an entry to the audit log. */
const ANALYSES_PER_DAY = 200;

type Analyzed = { readonly items: readonly CheckedItem['analysis'][] };

/** The form and its verdicts. */
export const analysisPages = (parts: PortalParts) => {
  const asks = new TokenBuckets(ANALYSES_PER_DAY, new BucketRoom(parts.clock.monotonic), DAY_MS);
  /** Serializes the forms of a license: only completed analyses are counted, so concurrent forms would all pass the limit. */
  const turns = new TurnsByKey<number>();

  const show = async (visit: Visit, tried: TriedAnalysis = {}, answer?: readonly CheckedItem[] | Refusal) => {
    const sites = await siteChoices(parts, visit, tried.site);
    const isRefused = isRefusal(answer);
    const problem = isRefused ? (REFUSED[answer.refused] ?? answer.message) : undefined;
    if (isRefused) noteWait(visit.set, answer);
    const children = (
      <Fragment>
        {answer === undefined || isRefused ? null : <Answers of={answer} />}
        <AnalysisForm sites={sites} tried={tried} problem={problem} />
      </Fragment>
    );
    return showPlace(visit, PLACES.analysis, children, { refused: isRefused ? answer.refused : undefined });
  };

  const analyze = async (visit: Visit, items: readonly CheckItem[], type: string, site: string) => {
    const own = site === '' ? undefined : await ownSite(parts, visit, site);
    if (isRefusal(own)) return own;
    const license = String(visit.caller.license.id);
    const { remaining, retryAfterSeconds } = asks.peek(license);
    if (remaining < items.length)
      return refuse('RATE_LIMITED', WORDS.refused.RATE_LIMITED, Math.max(1, retryAfterSeconds));
    const body = {
      items: items.map(({ content }, index) => ({
        id: String(index),
        input_type: type,
        content,
        ...(own === undefined ? {} : { site_url: own.url }),
      })),
    };
    const answer = await askUnless<Analyzed>(REFUSED_CODES, parts, visit, '/brain/analyze/batch', body);
    if (isRefusal(answer)) return answer;
    for (const _ of items) asks.take(license);
    return answer.items.map((analysis, index) => ({ ...(items[index] ?? NOTHING), analysis }));
  };

  const answer = async (visit: Visit, form: Form, files: readonly UploadedFile[]) => {
    const { input_type: type = '', name, content, site = '' } = form;
    const found = await turns.take(visit.caller.license.id, () =>
      analyze(visit, itemsOf(form, files), type, site),
    );
    // Pasted content may be long, so it is only returned if it has to be corrected.
    return show(visit, { type, name, site, ...(isRefusal(found) ? { content } : {}) }, found);
  };

  const opened = gated(parts, PLACES.analysis, show);
  const answered = gated(parts, PLACES.analysis, answer);
  return [
    getAt(PATH, page(parts, opened)),
    postAt(PATH, acting(parts, answered, { capBytes: CAP_BYTES, anyTextIn: 'content', filesMax: FILES_MAX })),
  ];
};

const NOTHING: CheckItem = { name: '', content: '' };
