import { type AnalysisRequest, analyze } from './analysis/analysis.ts';
import { isLong } from './analysis/contents.ts';
import { WARM_UP } from './analysis/warm-up.ts';
import { windowsOf } from './analysis/windows.ts';
import { faultOf } from './lib/fault.ts';
import { linesOf } from './lib/lines.ts';
import { type AnalystAnswer, LINE_BYTES_MAX } from './server/analyst.ts';

// The entry of the process in which contents are analysed. Each line that it reads is one, each that it writes an answer; it ends when
// there are no more.
function answerTo(request: AnalysisRequest): AnalystAnswer {
  try {
    return isLong(request.content) ? { windows: windowsOf(request) } : { analysis: analyze(request) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

const say = (answer: AnalystAnswer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

// Signals to stop, or a closed terminal, reach all processes of the service; this one is still needed for requests in progress.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

for (const request of WARM_UP) analyze(request);
say('ready');
for await (const line of linesOf(process.stdin, LINE_BYTES_MAX)) say(answerTo(JSON.parse(`${line}`)));
process.exit();
