import type { Refusal } from '../domain/refusal.ts';
import type { Category } from './categories.ts';
import { analyzeCode } from './code.ts';
import { type EngineName, type InputType, REASONS_MAX } from './contents.ts';
import { analyzeLog } from './log/log.ts';
import { judgeByModel } from './model/model.ts';
import { recommend } from './recommendations.ts';
import { analyzeRequest } from './request/request.ts';
import { type Finding, Findings } from './signal.ts';
import { analyzeText } from './text/text.ts';
import { analyzeUrl } from './url.ts';
import { judge, type Verdict, worstPart } from './verdict.ts';

export { INPUT_TYPES, type InputType } from './contents.ts';

export interface AnalysisRequest {
  readonly inputType: InputType;
  readonly content: string;
  /** The caller's site. Links to it are not suspicious; imitations of its name are. */
  readonly siteUrl?: string | undefined;
  /** Number of lines before this content, if it is a window of a longer one. */
  readonly linesBefore?: number;
}

export interface Analysis {
  readonly verdict: Verdict;
  /** Confidence in the verdict, 0 to 1. */
  readonly confidence: number;
  /** Probability of malice in percent: an integer, 0 to 100. */
  readonly score: number;
  /** Categories of the findings, highest weight first. */
  readonly categories: readonly Category[];
  /** Findings with their places, highest weight first; never parts of the content. */
  readonly reasons: readonly string[];
  /** Recommended actions, in order. */
  readonly recommendations: readonly string[];
}

export interface JudgedContent extends Analysis {
  readonly engine: EngineName;
}

/** The caller of an analysis. Licenses take turns; the analysis is dropped when `gone` is aborted. */
export interface Asker {
  readonly licenseId: number;
  readonly gone: AbortSignal;
}

/** Queues and analyses a content; refuses it if the queue is full. */
export type AnalyzeContent = (request: AnalysisRequest, asker: Asker) => Promise<Analysis | Refusal>;

/** Like {@link AnalyzeContent}, with an optional second opinion. */
export type JudgeContent = (request: AnalysisRequest, asker: Asker) => Promise<JudgedContent | Refusal>;

/** Analyses all contents, in order, or refuses all of them. */
export type AnalyzeContents = (
  requests: readonly AnalysisRequest[],
  asker: Asker,
) => Promise<readonly Analysis[] | Refusal>;

/** Like {@link AnalyzeContents}, with optional second opinions. */
export type JudgeContents = (
  requests: readonly AnalysisRequest[],
  asker: Asker,
) => Promise<readonly JudgedContent[] | Refusal>;

type Engine = (content: string, findings: Findings, siteUrl: string | undefined) => void;

const ENGINES: Readonly<Record<InputType, Engine>> = {
  code(content, findings) {
    analyzeCode(content, findings);
    judgeByModel(content, findings);
  },
  request: (content, findings) => analyzeRequest(content, findings),
  log: analyzeLog,
  url: analyzeUrl,
  text: analyzeText,
};

/**
 * Judges a content without running it, and without network or storage. Time is linear in its length; decoding of nested encodings
 * is bounded.
 */
export function analyze(request: AnalysisRequest): Analysis {
  const found = findingsIn(request).toSorted((a, b) => b.signal.weight - a.signal.weight);
  const judgement = judge(found, request.inputType);
  const against = found.filter(({ signal }) => signal.weight > 0);
  const categories = [...new Set(against.map(({ signal }) => signal.category))];
  return {
    ...judgement,
    categories,
    reasons: against.slice(0, REASONS_MAX).map(({ signal, where }) => `${signal.what}, ${where}`),
    recommendations: recommend(judgement.verdict, request.inputType, categories),
  };
}

/** The findings that determine the verdict: those of the worst part, if it alone is worse than the whole. */
export function findingsIn({
  inputType,
  content,
  siteUrl,
  linesBefore,
}: AnalysisRequest): readonly Finding[] {
  const findings = new Findings(linesBefore);
  ENGINES[inputType](content, findings, siteUrl);
  return worstPart(findings);
}
