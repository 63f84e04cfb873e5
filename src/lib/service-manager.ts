import { spawn } from 'node:child_process';
import { setInterval } from 'node:timers';
import { SpareFiles } from './spare-files.ts';

const NOTIFY_MS_MAX = 30_000;
/** A process takes one of our files; the rest are for those that have not ended yet. */
const SPARE_FILES = 4;

/** Notifies systemd (sd_notify(3)); does nothing in a process that systemd did not start. */
export interface ServiceManager {
  ready(): void;
  /** What it does or did last, in one line for `systemctl status`. */
  status(text: string): void;
  stopping(): void;
  /** Proves life at half the watchdog's interval for as long as `isAlive` resolves in time. */
  watch(isAlive: () => Promise<void>): void;
}

/**
 * Speaks through systemd-notify, because no runtime here offers the Unix datagram socket of the
 * protocol itself. Without its `--no-block`, so that it is still there when systemd reads the message and asks which
 * unit its sender belongs to; on a busy machine that got lost.
 *
 * @param onUntold called with the reason when systemd could not be told
 */
export function serviceManager(
  environment: Readonly<Record<string, string | undefined>>,
  onUntold: (reason: string) => void,
): ServiceManager {
  const spare = new SpareFiles(SPARE_FILES);

  const notify = (state: string) => {
    if (!environment.NOTIFY_SOCKET) return;
    spare.release();
    const told = spawn('systemd-notify', [state], { stdio: 'ignore', timeout: NOTIFY_MS_MAX });
    spare.keep();
    told.once('error', ({ name, code }: NodeJS.ErrnoException) => onUntold(code ?? name));
    told.once('exit', (code, signal) => {
      spare.keep();
      if (code !== 0) onUntold(`systemd-notify ended with ${code ?? signal}`);
    });
  };

  return {
    ready: () => notify('READY=1'),
    status: (text) => notify(`STATUS=${text.replace(/\p{Cc}+/gu, ' ')}`),
    stopping: () => notify('STOPPING=1'),
    watch(isAlive) {
      const intervalMs = Number(environment.WATCHDOG_USEC ?? 0) / 1_000 / 2;
      if (!environment.NOTIFY_SOCKET || !(intervalMs > 0)) return;
      setInterval(() => isAlive().then(() => notify('WATCHDOG=1')), intervalMs).unref();
    },
  };
}
