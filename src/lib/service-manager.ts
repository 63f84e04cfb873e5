import { spawn } from 'node:child_process';
import { setInterval } from 'node:timers';
import { SpareFiles } from './spare-files.ts';

const NOTIFY_MS_MAX = 30_000;
/** Files reserved for systemd-notify: one per process, several of which may be running. */
const SPARE_FILES = 4;

/** Notifies systemd (sd_notify(3)). Does nothing if systemd did not start this process. */
export interface ServiceManager {
  ready(): void;
  /** Sets the status line that `systemctl status` shows. */
  status(text: string): void;
  stopping(): void;
  /** Sends a watchdog signal at half the watchdog's interval, as long as `isAlive` resolves in time. */
  watch(isAlive: () => Promise<void>): void;
}

/**
 * Uses systemd-notify, because neither runtime offers the datagram socket of the protocol. Without `--no-block`, so that it still
 * exists when systemd looks up the unit of the sender; otherwise messages were lost on a busy machine.
 *
 * @param onFailure called with the reason if systemd could not be notified
 */
export function serviceManager(
  environment: Readonly<Record<string, string | undefined>>,
  onFailure: (reason: string) => void,
): ServiceManager {
  const spare = new SpareFiles(SPARE_FILES);

  const notify = (state: string) => {
    if (!environment.NOTIFY_SOCKET) return;
    spare.release();
    const notifier = spawn('systemd-notify', [state], { stdio: 'ignore', timeout: NOTIFY_MS_MAX });
    spare.keep();
    notifier.once('error', ({ name, code }: NodeJS.ErrnoException) => onFailure(code ?? name));
    notifier.once('exit', (code, signal) => {
      spare.keep();
      if (code !== 0) onFailure(`systemd-notify ended with ${code ?? signal}`);
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
