import { execFile } from 'node:child_process';
import { setInterval } from 'node:timers';

const NOTIFY_MS_MAX = 30_000;

/** What systemd is told; nothing happens when the process was not started by it (sd_notify(3)). */
export interface ServiceManager {
  ready(): void;
  stopping(): void;
  /** Proves life at half the watchdog's interval for as long as `isAlive` resolves in time. */
  watch(isAlive: () => Promise<void>): void;
}

/**
 * Speaks through systemd-notify, because no runtime here offers the Unix datagram socket of the
 * protocol itself. Without its `--no-block`, so that it is still there when systemd reads the message and asks which
 * unit its sender belongs to; on a busy machine that got lost.
 */
export function serviceManager(environment: Readonly<Record<string, string | undefined>>): ServiceManager {
  const notify = (state: string) => {
    if (!environment.NOTIFY_SOCKET) return;
    execFile('systemd-notify', [state], { timeout: NOTIFY_MS_MAX }, () => {});
  };
  return {
    ready: () => notify('READY=1'),
    stopping: () => notify('STOPPING=1'),
    watch(isAlive) {
      const intervalMs = Number(environment.WATCHDOG_USEC ?? 0) / 1_000 / 2;
      if (!environment.NOTIFY_SOCKET || !(intervalMs > 0)) return;
      setInterval(() => isAlive().then(() => notify('WATCHDOG=1')), intervalMs).unref();
    },
  };
}
