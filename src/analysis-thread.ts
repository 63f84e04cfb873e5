import { type AnalysisRequest, analyze } from './analysis/analysis.ts';
import { isLong } from './analysis/contents.ts';
import { WARM_UP } from './analysis/warm-up.ts';
import { windowsOf } from './analysis/windows.ts';
import { faultOf } from './lib/fault.ts';
import type { AnalystAnswer } from './server/analysis-desk.ts';

declare const self: {
  onmessage: (event: MessageEvent<AnalysisRequest>) => void;
  postMessage(answer: AnalystAnswer): void;
};

// The entry of the analysis thread; it stands here for the reason that storage-thread.ts does.
function answer(request: AnalysisRequest): AnalystAnswer {
  try {
    return isLong(request.content) ? { windows: windowsOf(request) } : { analysis: analyze(request) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

self.onmessage = ({ data }) => self.postMessage(answer(data));
for (const request of WARM_UP) analyze(request);
self.postMessage('ready');
