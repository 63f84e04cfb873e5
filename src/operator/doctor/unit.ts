import { readlinkSync } from 'node:fs';
import { askProgram } from '../../lib/ask-program.ts';
import type { Environment } from '../../settings/config.ts';
import { readUnitText } from '../unit-credentials.ts';
import { type Finding, failure, warning } from './finding.ts';

const PROPERTIES = [
  ...['Id', 'LoadState', 'ActiveState', 'SubState', 'Result', 'NRestarts', 'ExecMainStatus', 'MainPID'],
  ...['WatchdogUSec', 'NeedDaemonReload', 'Environment', 'IPAddressAllow', 'IPAddressDeny', 'User'],
  ...['AmbientCapabilities', 'PrivateUsers', 'LimitNOFILE', 'MemoryMax', 'ExecStart', 'InvocationID'],
] as const;

/** The state of the service in systemd, as its tools print it. */
export interface Unit {
  /** With its ending, such as `redoubt.service`. */
  readonly id: string;
  readonly properties: Readonly<Partial<Record<(typeof PROPERTIES)[number], string>>>;
  /** Its file and its drop-ins. */
  readonly text: string;
  /** Whether its executable was replaced since it started, as far as this user can see. */
  readonly isReplaced: boolean;
}

/** What a property says in digits; undefined where it says anything else, such as `infinity` or nothing. */
export const numberOf = (property: string | undefined): number | undefined =>
  property !== undefined && /^\d+$/.test(property) ? Number(property) : undefined;

/**
 * Asks systemd for a unit.
 *
 * @returns undefined where there is no systemd, or it knows no such unit
 * @throws Fault when it does not answer
 */
export function readUnit(name: string): Unit | undefined {
  const shown = askProgram('systemctl', 'show', '-p', PROPERTIES.join(','), '--', name);
  if (shown === undefined) return undefined;
  const lines = shown
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const properties: Unit['properties'] = Object.fromEntries(lines);
  if (properties.LoadState !== 'loaded') return undefined;
  const { Id = name, MainPID = '0' } = properties;
  return { id: Id, properties, text: readUnitText(name) ?? '', isReplaced: isReplaced(MainPID) };
}

function isReplaced(pid: string): boolean {
  try {
    return pid !== '0' && readlinkSync(`/proc/${pid}/exe`).endsWith(' (deleted)');
  } catch {
    return false;
  }
}

/** The settings that a unit gives its service. */
export function environmentOf({ properties }: Unit): Environment {
  const words = (properties.Environment ?? '').matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g);
  const pairs = Array.from(words, ([, quoted, plain]) => quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  return Object.fromEntries(
    pairs
      .filter((pair) => pair.startsWith('SERVICE_'))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

/** The executable that a unit starts; undefined where systemd does not tell. */
export const executableOf = ({ properties }: Unit): string | undefined =>
  /^\{ path=(.+?) ; /.exec(properties.ExecStart ?? '')?.[1];

/** Whether systemd runs, starts or stops it. */
export const isUnderWay = ({ properties: { ActiveState } }: Unit): boolean =>
  ActiveState !== 'inactive' && ActiveState !== 'failed';

/** Checks how systemd runs the service. */
export function judgeUnit(unit: Unit): Finding[] {
  const { id, properties, isReplaced } = unit;
  const { NRestarts, WatchdogUSec, NeedDaemonReload } = properties;
  const findings = judgeState(unit);
  if (findings.length === 0 && Number(NRestarts) > 0) {
    const times = NRestarts === '1' ? 'once' : `${NRestarts} times`;
    const what = `systemd restarted ${id} ${times}, after it failed or did not respond to the watchdog`;
    findings.push(warning('unit-restarted', what, seeWhy(id)));
  }
  if (isReplaced) {
    const what = `the executable of ${id} was replaced after it started`;
    findings.push(warning('restart-for-executable', what, `systemctl restart ${id}, at a convenient time`));
  }
  if (WatchdogUSec === '0' || WatchdogUSec === 'infinity') {
    const what = `systemd does not restart ${id} when it hangs: its watchdog is off`;
    findings.push(warning('watchdog-off', what, `systemctl edit ${id}: set WatchdogSec=30 under [Service]`));
  }
  if (NeedDaemonReload === 'yes') {
    const what = `the files of ${id} were changed, but systemd has not reloaded them`;
    findings.push(warning('unit-changed', what, 'systemctl daemon-reload'));
  }
  return findings;
}

const seeWhy = (id: string): string => `find the reason: journalctl -u ${id} -n 50`;

function judgeState(unit: Unit): Finding[] {
  const { id, properties } = unit;
  const { ActiveState, SubState, Result, ExecMainStatus } = properties;
  if (ActiveState !== 'failed' && SubState !== 'auto-restart')
    return isUnderWay(unit) ? [] : [warning('unit-stopped', `${id} is not running`, `systemctl start ${id}`)];
  const what =
    Result === 'watchdog'
      ? `the watchdog stopped ${id}, because it did not respond`
      : `${id} failed (${Result}, exit status ${ExecMainStatus})`;
  return [failure('unit-failed', what, `${seeWhy(id)}; then systemctl restart ${id}`)];
}
