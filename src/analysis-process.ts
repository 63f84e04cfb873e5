import { type AnalysisRequest, analyze } from './analysis/analysis.ts';
import { isLong } from './analysis/contents.ts';
import { WARM_UP } from './analysis/warm-up.ts';
import { windowsOf } from './analysis/windows.ts';
import { faultOf } from './lib/fault.ts';
import { linesOf } from './lib/lines.ts';
import { type AnalystAnswer, LINE_BYTES_MAX } from './server/analyst.ts';

// The entry point of the analysis process. It reads one request per line, writes one answer per line, and exits at the end of
// its input.
function answerTo(request: AnalysisRequest): AnalystAnswer {
  try {
    return isLong(request.content) ? { windows: windowsOf(request) } : { analysis: analyze(request) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

const send = (answer: AnalystAnswer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

// Signals reach all processes of the service, but running requests still need this one. It exits when its input ends.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

for (const request of WARM_UP) analyze(request);
send('ready');
for await (const line of linesOf(process.stdin, LINE_BYTES_MAX)) send(answerTo(JSON.parse(`${line}`)));
process.exit();
