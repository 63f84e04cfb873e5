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
  /** The caller's own site: its links are its own, imitations of its name are not. */
  readonly siteUrl?: string | undefined;
  /** Of a window of a longer content: the lines before it. */
  readonly linesBefore?: number;
}

export interface Analysis {
  readonly verdict: Verdict;
  /** How sure the verdict is: 0 to 1. */
  readonly confidence: number;
  /** Probability of malice in percent: an integer, 0 to 100. */
  readonly score: number;
  /** What the findings belong to, weightiest first. */
  readonly categories: readonly Category[];
  /** What was seen and where, weightiest first; never a piece of the content. */
  readonly reasons: readonly string[];
  /** What to do, in order. */
  readonly recommendations: readonly string[];
}

export interface JudgedContent extends Analysis {
  readonly engine: EngineName;
}

/** Who wants a content analysed. Licenses take turns; an asker who has gone gives up its place. */
export interface Asker {
  readonly licenseId: number;
  readonly gone: AbortSignal;
}

/** Analyses a content when its turn has come, or refuses it when too many wait. */
export type AnalyzeContent = (request: AnalysisRequest, asker: Asker) => Promise<Analysis | Refusal>;

/** The same, perhaps with a second opinion. */
export type JudgeContent = (request: AnalysisRequest, asker: Asker) => Promise<JudgedContent | Refusal>;

/** Analyses all of some contents, in their order, or refuses all of them. */
export type AnalyzeContents = (
  requests: readonly AnalysisRequest[],
  asker: Asker,
) => Promise<readonly Analysis[] | Refusal>;

/** The same, perhaps with second opinions on some. */
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
 * Judges a content without running it, without network access or storage. Takes time in proportion to its length; what
 * unfolds from encodings is bounded.
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

/** The findings by which a content is judged: of its worst part, if one is worse by itself than the whole. */
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
