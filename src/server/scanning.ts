import { systemAfter } from '../lib/clock.ts';
import { VERSION } from '../lib/version.ts';
import { createSiteSurvey } from '../outside/site-survey.ts';
import { systemNetwork } from '../outside/site-visit/network.ts';
import { createScanRunner, type ScanRunnerParts } from '../tasks/scan-runner.ts';
import { type ScanScheduleParts, startScanSchedules } from '../tasks/scan-schedules.ts';
import { type ScanDesk, type ScanDeskParts, startScanDesk } from '../tasks/scans.ts';

type ScanningParts = Omit<ScanRunnerParts, 'surveySite'> &
  Pick<ScanDeskParts, 'log' | 'writer' | 'readUnfinished' | 'isAlone'> &
  Pick<ScanScheduleParts, 'readDue' | 'isClockBehind' | 'clockWork'>;

/** Starts the queue of scans and the schedules. */
export async function startScanning(
  parts: ScanningParts,
): Promise<{ readonly desk: ScanDesk; readonly stop: () => Promise<void> }> {
  const { clock, settings } = parts;
  const surveySite: ScanRunnerParts['surveySite'] = (...asked) =>
    createSiteSurvey({
      network: systemNetwork,
      allowPrivate: settings().config.scanAllowPrivate,
      version: VERSION,
      now: clock.now,
    })(...asked);
  const common = { ...parts, after: systemAfter };
  const desk = await startScanDesk({ ...common, run: createScanRunner({ ...parts, surveySite }) });
  const stopSchedules = startScanSchedules({
    ...common,
    desk,
    dailyCap: () => settings().config.scanDailyCap,
  });
  return {
    desk,
    stop() {
      stopSchedules();
      return desk.stop();
    },
  };
}
