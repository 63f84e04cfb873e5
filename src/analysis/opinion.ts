import { isRefusal } from '../domain/refusal.ts';
import type {
  Analysis,
  AnalysisRequest,
  AnalyzeContent,
  AnalyzeContents,
  InputType,
  JudgeContent,
  JudgeContents,
  JudgedContent,
} from './analysis.ts';
import { isLong } from './contents.ts';
import { recommend } from './recommendations.ts';
import { judgeProbability, MALICIOUS_MIN, type Verdict } from './verdict.ts';

/** A second opinion on a content. */
export interface Opinion {
  readonly verdict: Verdict;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Asks for an opinion; undefined if none arrives in time. Never throws. */
export type AskOpinion = (request: AnalysisRequest) => Promise<Opinion | undefined>;

/**
 * Log-odds by which an opinion with full confidence moves the verdict: enough to settle a doubtful verdict, less than the
 * distance between malicious and clean. A content can manipulate a model, but must not clear itself.
 */
const OPINION_WEIGHT = 1.9;
const SURE: Readonly<Record<Verdict, number>> = { malicious: 1, suspicious: 0.25, clean: -1 };
/** Limits the log-odds to those of 0.1 and 99.9 %. */
const PROBABILITY_MIN = 0.001;

/** Judges with the built-in engine; a second opinion, if configured, adjusts the score. */
export function judgeWith(analyze: AnalyzeContent, askOpinion: AskOpinion | undefined): JudgeContent {
  return async (request, asker) => {
    const analysis = await analyze(request, asker);
    if (isRefusal(analysis)) return analysis;
    if (askOpinion === undefined) return { ...analysis, engine: 'builtin' };
    return withOpinion(request, analysis, askOpinion);
  };
}

/** Limit per batch; leaves capacity of the endpoint to single contents. */
const OPINIONS_PER_BATCH_MAX = 2;

/**
 * Like {@link judgeWith}, for a batch. Asks only where an opinion can settle something: for the first two suspicious contents
 * that are not too long, concurrently.
 */
export function judgeAllWith(analyzeAll: AnalyzeContents, askOpinion: AskOpinion | undefined): JudgeContents {
  return async (requests, asker) => {
    const analyses = await analyzeAll(requests, asker);
    if (isRefusal(analyses)) return analyses;
    let left = askOpinion === undefined ? 0 : OPINIONS_PER_BATCH_MAX;
    return Promise.all(
      analyses.map((analysis, index) => {
        const request = requests[index];
        const isDoubtful = analysis.verdict === 'suspicious' && request && !isLong(request.content);
        if (!isDoubtful || askOpinion === undefined || left === 0)
          return { ...analysis, engine: 'builtin' as const };
        left -= 1;
        return withOpinion(request, analysis, askOpinion);
      }),
    );
  };
}

async function withOpinion(
  request: AnalysisRequest,
  analysis: Analysis,
  askOpinion: AskOpinion,
): Promise<JudgedContent> {
  const opinion = await askOpinion(request);
  if (opinion === undefined) return { ...analysis, engine: 'builtin, ai failed' };
  return { ...weigh(analysis, opinion, request.inputType), engine: 'builtin+ai' };
}

/** Score of one sure finding: from here on, an opinion cannot lower the verdict below malicious. */
const CLEAR_MIN = 90;

/** Adjusts an analysis by an opinion, never from malicious to clean or vice versa. */
export function weigh(analysis: Analysis, { verdict, confidence }: Opinion, inputType: InputType): Analysis {
  const probability = Math.min(Math.max(analysis.score / 100, PROBABILITY_MIN), 1 - PROBABILITY_MIN);
  const logOdds = Math.log(probability / (1 - probability)) + SURE[verdict] * confidence * OPINION_WEIGHT;
  const least = analysis.score >= CLEAR_MIN ? MALICIOUS_MIN / 100 : 0;
  const judgement = judgeProbability(Math.max(1 / (1 + Math.exp(-logOdds)), least));
  return {
    ...analysis,
    ...judgement,
    reasons: [...analysis.reasons, `second opinion of the AI endpoint: ${verdict}`],
    recommendations: recommend(judgement.verdict, inputType, analysis.categories),
  };
}
