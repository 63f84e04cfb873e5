/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { INPUT_TYPES } from '../analysis/contents.ts';
import type { Verdict } from '../analysis/verdict.ts';
import { Choice, Field } from '../pages/form.tsx';
import { Facts, Problem } from '../pages/html.tsx';
import { Table } from '../pages/table.tsx';
import type { AnalysisAnswer } from '../routes/analysis.ts';
import { type CheckItem, linesIn } from './file-check-items.ts';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.analysis;
const LOOKS: Readonly<Record<Verdict, string>> = { malicious: 'bad', suspicious: 'warn', clean: 'good' };
const NAME_CHARACTERS_MAX = 128;

type Analysis = Static<typeof AnalysisAnswer>;

/** The values of a refused form. */
export interface TriedAnalysis {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly content?: string | undefined;
  readonly site?: string | undefined;
}

/** A content and its verdict. */
export interface CheckedItem extends CheckItem {
  readonly analysis: Analysis;
}

export const AnalysisForm = ({
  sites,
  tried,
  problem,
}: {
  readonly sites: readonly (readonly [id: string, url: string])[];
  readonly tried: TriedAnalysis;
  readonly problem: string | undefined;
}) => (
  <form method="post" action={PLACES.analysis.path} enctype="multipart/form-data" class="form roomy">
    <Problem text={problem} />
    <p class="quiet">{WORDS.about}</p>
    <label>
      {WORDS.file}
      <input type="file" name="file" multiple data-drop="content" />
    </label>
    <label>
      {WORDS.content}
      <textarea name="content" spellcheck={false} autocomplete="off">
        {tried.content ?? ''}
      </textarea>
    </label>
    <Field
      label={WORDS.name}
      name="name"
      value={tried.name}
      hint={WORDS.nameHint}
      max={NAME_CHARACTERS_MAX}
    />
    <Choice
      label={WORDS.type}
      name="input_type"
      value={tried.type}
      of={INPUT_TYPES.map((type) => [type, WORDS.types[type]])}
    />
    <Choice label={WORDS.site} name="site" value={tried.site} of={sites} none={WORDS.noSite} />
    <button type="submit">{WORDS.submit}</button>
  </form>
);

/** Whether the verdict is meaningless: nothing was found in an archive, whose compressed content is not checked. */
const isUnknown = ({ isArchive = false, analysis: { verdict } }: CheckedItem): boolean =>
  isArchive && verdict === 'clean';

const VerdictBadge = ({ of }: { readonly of: CheckedItem }) =>
  isUnknown(of) ? (
    <span class="badge warn">{WORDS.notUnpacked}</span>
  ) : (
    <span class={`badge ${LOOKS[of.analysis.verdict]}`}>{WORDS.verdicts[of.analysis.verdict]}</span>
  );

const Sentences = ({ title, of }: { readonly title: string; readonly of: readonly string[] }) =>
  of.length === 0 ? null : (
    <Fragment>
      <h3>{title}</h3>
      <ul>
        {of.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
    </Fragment>
  );

const Lines = ({ of: { content, analysis } }: { readonly of: CheckedItem }) => {
  const lines = linesIn(content, analysis.reasons);
  return lines.length === 0 ? null : (
    <Fragment>
      <h3>{WORDS.lines}</h3>
      <pre class="found" tabindex={0}>
        {lines.map(({ number, text }) => `${String(number).padStart(5)}  ${text}\n`).join('')}
      </pre>
    </Fragment>
  );
};

const AnswerCard = ({ of }: { readonly of: CheckedItem }) => {
  const { score, confidence, categories, engine, reasons, recommendations } = of.analysis;
  const kinds = categories.map((category) => category.replaceAll('_', ' ')).join(', ');
  return (
    <section class="card wide">
      <header>
        <h2>{of.name}</h2>
        <VerdictBadge of={of} />
      </header>
      <Facts
        of={[
          [WORDS.score, WORDS.percent(score)],
          [WORDS.confidence, WORDS.percent(confidence * 100)],
          [WORDS.categories, kinds === '' ? null : kinds],
          [WORDS.engine, WORDS.engines[engine]],
        ]}
      />
      {of.isArchive ? <p class="notice warn">{WORDS.archive}</p> : null}
      <Sentences title={WORDS.reasons} of={reasons} />
      <Lines of={of} />
      <Sentences title={WORDS.recommendations} of={recommendations} />
    </section>
  );
};

const RANKS: Readonly<Record<Verdict, number>> = { malicious: 0, suspicious: 1, clean: 3 };
const rankOf = (of: CheckedItem): number => (isUnknown(of) ? 2 : RANKS[of.analysis.verdict]);

/** The verdicts on contents, worst first. */
export function Answers({ of }: { readonly of: readonly CheckedItem[] }) {
  const sorted = of.toSorted((one, other) => rankOf(one) - rankOf(other));
  const isOne = of.length === 1;
  const found = sorted.filter(({ analysis }) => isOne || analysis.verdict !== 'clean');
  return (
    <div class="stack" role="status">
      {isOne ? null : (
        <Table
          label={WORDS.verdict}
          columns={Object.values(WORDS.columns)}
          rows={sorted.map((each) => [
            each.name,
            <VerdictBadge of={each} />,
            WORDS.percent(each.analysis.score),
            isUnknown(each) ? WORDS.archive : (each.analysis.reasons[0] ?? ''),
          ])}
        />
      )}
      {found.map((each) => (
        <AnswerCard of={each} />
      ))}
    </div>
  );
}
