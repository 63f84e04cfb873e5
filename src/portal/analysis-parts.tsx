/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { INPUT_TYPES } from '../analysis/contents.ts';
import type { Verdict } from '../analysis/verdict.ts';
import { KIB } from '../http/context.ts';
import { FileInto } from '../pages/file-into.tsx';
import { Choice } from '../pages/form.tsx';
import { Facts, Problem } from '../pages/html.tsx';
import type { AnalysisAnswer } from '../routes/analysis.ts';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.analysis;
/** What the interface takes at most, in a larger wrapping. */
const FILE_BYTES_MAX = 64 * KIB;
const LOOKS: Readonly<Record<Verdict, string>> = { malicious: 'bad', suspicious: 'warn', clean: 'good' };

/** What a form was filled in with. */
export interface TriedAnalysis {
  readonly type?: string;
  readonly content?: string;
  readonly site?: string;
}

/** The form that asks about a content. */
export const AnalysisForm = ({
  sites,
  tried,
  problem,
}: {
  readonly sites: readonly (readonly [id: string, url: string])[];
  readonly tried: TriedAnalysis;
  readonly problem: string | undefined;
}) => (
  <form method="post" action={PLACES.analysis.path} class="form roomy">
    <Problem text={problem} />
    <p class="quiet">{WORDS.about}</p>
    <Choice
      label={WORDS.type}
      name="input_type"
      value={tried.type}
      of={INPUT_TYPES.map((type) => [type, WORDS.types[type]])}
    />
    <label>
      {WORDS.content}
      <textarea name="content" required spellcheck={false} autocomplete="off">
        {tried.content ?? ''}
      </textarea>
    </label>
    <FileInto field="content" bytesMax={FILE_BYTES_MAX} label={WORDS.file} refused={WORDS.fileRefused} />
    <Choice label={WORDS.site} name="site" value={tried.site} of={sites} none={WORDS.noSite} />
    <button type="submit">{WORDS.submit}</button>
  </form>
);

const Sentences = ({ title, of }: { readonly title: string; readonly of: readonly string[] }) =>
  of.length === 0 ? null : (
    <section class="card wide">
      <h2>{title}</h2>
      <ul>
        {of.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
    </section>
  );

/** What a content was found to be. */
export function Answer({ of }: { readonly of: Static<typeof AnalysisAnswer> }) {
  const { verdict, score, confidence, categories, engine, reasons, recommendations } = of;
  const kinds = categories.map((category) => category.replaceAll('_', ' ')).join(', ');
  return (
    <div class="cards">
      <section class="card wide" role="status">
        <h2>{WORDS.verdict}</h2>
        <p>
          <span class={`badge ${LOOKS[verdict]}`}>{WORDS.verdicts[verdict]}</span>
        </p>
        <Facts
          of={[
            [WORDS.score, WORDS.percent(score)],
            [WORDS.confidence, WORDS.percent(confidence * 100)],
            [WORDS.categories, kinds === '' ? null : kinds],
            [WORDS.engine, WORDS.engines[engine]],
          ]}
        />
      </section>
      <Sentences title={WORDS.reasons} of={reasons} />
      <Sentences title={WORDS.recommendations} of={recommendations} />
    </div>
  );
}
