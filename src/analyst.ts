import { WARM_UP } from './domain/analysis/warm-up.ts';
import { type Analysis, type AnalysisRequest, analyze } from './domain/analysis.ts';
import { faultOf } from './lib/fault.ts';

/** What the analysis thread says: once that it is ready, then one answer for each content. */
export type AnalystAnswer = 'ready' | { readonly analysis: Analysis } | { readonly fault: string };

declare const self: {
  onmessage: (event: MessageEvent<AnalysisRequest>) => void;
  postMessage(answer: AnalystAnswer): void;
};

// The entry of the analysis thread; it stands here for the reason that thread.ts does.
function answer(request: AnalysisRequest): AnalystAnswer {
  try {
    return { analysis: analyze(request) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

self.onmessage = ({ data }) => self.postMessage(answer(data));
for (const request of WARM_UP) analyze(request);
self.postMessage('ready');
