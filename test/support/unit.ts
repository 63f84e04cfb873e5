import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Unit } from '../../src/operator/doctor/unit.ts';
import type { Env } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

/** The output of `systemctl show` for a healthy unit. */
export const SOUND_UNIT: NonNullable<Unit['properties']> = {
  Id: 'redoubt.service',
  LoadState: 'loaded',
  ActiveState: 'active',
  SubState: 'running',
  Result: 'success',
  NRestarts: '0',
  ExecMainStatus: '0',
  MainPID: '0',
  WatchdogUSec: '30s',
  NeedDaemonReload: 'no',
  User: 'redoubt',
  AmbientCapabilities: '',
  PrivateUsers: 'yes',
  LimitNOFILE: '65536',
  MemoryMax: 'infinity',
  IPAddressAllow: '',
  IPAddressDeny: '',
};

/** A unit as systemd reports it. */
export const unitWith = (properties: Unit['properties'] = {}, text = ''): Unit => ({
  id: 'redoubt.service',
  properties: { ...SOUND_UNIT, ...properties },
  text,
  isReplaced: false,
});

/** A PATH with a systemctl that knows that unit, and reports whether a time server synchronizes the clock. */
export function hostWith(properties: Unit['properties'], text = '', synchronized = 'yes'): Env {
  const directory = temporaryDirectory();
  const script = (name: string, lines: string) => {
    writeFileSync(join(directory, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(directory, name), 0o755);
  };
  const shown = Object.entries({ ...SOUND_UNIT, ...properties }).map(([name, value]) => `${name}=${value}`);
  writeFileSync(join(directory, 'shown'), shown.join('\n'));
  writeFileSync(join(directory, 'text'), text);
  script('systemctl', `case $1 in show) cat ${directory}/shown;; cat) cat ${directory}/text;; esac`);
  script('timedatectl', `echo ${synchronized}`);
  chmodSync(directory, 0o755);
  return { PATH: `${directory}:${process.env.PATH}` };
}

/** A PATH on which systemd does not answer: a shell runs this instead. */
export function silentHost(instead: string): Env {
  const host = hostWith({});
  const [directory = ''] = (host.PATH ?? '').split(':');
  writeFileSync(join(directory, 'systemctl'), `#!/bin/sh\nexec ${instead}\n`);
  return host;
}
