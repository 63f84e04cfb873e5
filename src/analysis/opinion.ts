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

/** An external opinion on a content. */
export interface Opinion {
  readonly verdict: Verdict;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Asks for an opinion; undefined when none could be had in time. Never throws. */
export type AskOpinion = (request: AnalysisRequest) => Promise<Opinion | undefined>;

/**
 * Log-odds that the surest opinion moves the verdict by: enough to settle a doubtful one, less than lie between malicious
 * and clean. A content can talk a model into anything, but not itself out of that.
 */
const OPINION_WEIGHT = 1.9;
const SURE: Readonly<Record<Verdict, number>> = { malicious: 1, suspicious: 0.25, clean: -1 };
/** Keeps certainty finite: the log-odds of 0.1 and 99.9 %. */
const PROBABILITY_MIN = 0.001;

/** Judges by the built-in engine, and lets a second opinion move the score if one can be asked for. */
export function judgeWith(analyze: AnalyzeContent, askOpinion: AskOpinion | undefined): JudgeContent {
  return async (request, asker) => {
    const analysis = await analyze(request, asker);
    if (isRefusal(analysis)) return analysis;
    if (askOpinion === undefined) return { ...analysis, engine: 'builtin' };
    return withOpinion(request, analysis, askOpinion);
  };
}

/** Second opinions of one batch, which leaves some of the endpoint's capacity to single contents. */
const OPINIONS_PER_BATCH_MAX = 2;

/**
 * The same for a batch, in which a second opinion is asked for where it can settle something: on what is suspicious, and not too
 * long, the first two of them, both at once.
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

/** The score of one sure finding alone: no opinion makes it less than malicious. */
const CLEAR_MIN = 90;

/** An analysis with its score moved by an opinion, never from malicious to clean or back. */
export function weigh(analysis: Analysis, { verdict, confidence }: Opinion, inputType: InputType): Analysis {
  const probability = Math.min(Math.max(analysis.score / 100, PROBABILITY_MIN), 1 - PROBABILITY_MIN);
  const logOdds = Math.log(probability / (1 - probability)) + SURE[verdict] * confidence * OPINION_WEIGHT;
  const least = analysis.score >= CLEAR_MIN ? MALICIOUS_MIN / 100 : 0;
  const judgement = judgeProbability(Math.max(1 / (1 + Math.exp(-logOdds)), least));
  return {
    ...analysis,
    ...judgement,
    reasons: [...analysis.reasons, `the second opinion is ${verdict}, by the AI endpoint`],
    recommendations: recommend(judgement.verdict, inputType, analysis.categories),
  };
}
