import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { CA, certificateFor } from './receivers.ts';
import { until } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

/** A message as parsed by a syslog server. */
export interface ReceivedLine {
  readonly pri: string;
  readonly app: string;
  readonly msgid: string;
  readonly at: string;
  readonly msg: string;
  /** Values of our structured data, by name. */
  readonly sd: Readonly<Record<string, string>>;
}

export interface SyslogReceiver {
  /** The port with TLS. */
  readonly port: number;
  /** The path of a Unix stream socket. */
  readonly path: string;
  /** The messages so far; waits for the expected number. */
  received(count: number): Promise<ReceivedLine[]>;
  stop(): Promise<void>;
}

interface Place {
  readonly directory: string;
  readonly port: number;
}

const STRUCTURED_ID = 'redoubt@32473';
/** Unpacked by `.ci/run`: its Debian package conflicts with rsyslog's. */
const UNPACKED = join(import.meta.dir, '../../.ci/tools/syslog-ng/unpacked');
const LIBRARIES = ['usr/lib/syslog-ng', 'usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
  .map((folder) => join(UNPACKED, folder))
  .join(':');

export const RECEIVERS = {
  rsyslog: {
    program: '/usr/sbin/rsyslogd',
    args: ({ directory }: Place) => ['-n', '-f', join(directory, 'conf'), '-i', join(directory, 'pid')],
    config: ({ directory, port }: Place) => `
global(workDirectory="${directory}" maxMessageSize="64k" defaultNetstreamDriverCAFile="${directory}/ca.pem"
 defaultNetstreamDriverCertFile="${directory}/cert.pem" defaultNetstreamDriverKeyFile="${directory}/key.pem")
module(load="imptcp") module(load="mmpstrucdata")
module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")
template(name="out" type="list" option.jsonf="on") {
 property(outname="pri" name="pri" format="jsonf") property(outname="app" name="app-name" format="jsonf")
 property(outname="msgid" name="msgid" format="jsonf") property(outname="msg" name="msg" format="jsonf")
 property(outname="at" name="timereported" dateFormat="rfc3339" format="jsonf")
 property(outname="sd" name="$!rfc5424-sd" format="jsonf")
}
ruleset(name="all") {
 action(type="mmpstrucdata" sd_name.lowercase="off") action(type="omfile" file="${directory}/out" template="out")
}
input(type="imptcp" path="${directory}/socket" ruleset="all")
input(type="imtcp" port="${port}" address="127.0.0.1" ruleset="all")
`,
    sdOf: (sd: unknown) => (sd === '' ? {} : JSON.parse(String(sd))[STRUCTURED_ID]),
  },
  'syslog-ng': {
    program: join(UNPACKED, 'usr/sbin/syslog-ng'),
    args: ({ directory }: Place) => [
      ...[
        '-F',
        '--no-caps',
        '--cfgfile',
        join(directory, 'conf'),
        '--persist-file',
        join(directory, 'persist'),
      ],
      ...['--control', join(directory, 'control'), '--pidfile', join(directory, 'pid')],
      ...['--module-path', join(UNPACKED, 'usr/lib/syslog-ng/3.38')],
    ],
    config: ({ directory, port }: Place) => `@version: 3.38
options { log-msg-size(65536); time-reopen(1); stats-freq(0); };
source s {
  syslog(ip("127.0.0.1") port(${port}) transport("tls") tls(key-file("${directory}/key.pem")
    cert-file("${directory}/cert.pem") peer-verify(optional-untrusted)));
  unix-stream("${directory}/socket" flags(syslog-protocol));
};
destination d { file("${directory}/out" template("$(format-json pri=$PRI app=$PROGRAM msgid=$MSGID at=$ISODATE msg=$MSG
  --key .SDATA.* --rekey .SDATA.* --replace-prefix .SDATA=sd)\\n")); };
log { source(s); destination(d); };
`,
    sdOf: (sd: unknown) => (sd === undefined ? {} : (sd as Record<string, object>)[STRUCTURED_ID]),
  },
} as const;
export type ReceiverName = keyof typeof RECEIVERS;

export const isInstalled = (name: ReceiverName): boolean => existsSync(RECEIVERS[name].program);

/** Starts a syslog server with TLS and a Unix socket that writes parsed messages to a file. */
export async function startReceiver(name: ReceiverName): Promise<SyslogReceiver> {
  const { program, args, config, sdOf } = RECEIVERS[name];
  const directory = temporaryDirectory();
  const place = { directory, port: await freePort() };
  const { cert, key } = certificateFor();
  const files = { 'ca.pem': CA, 'cert.pem': cert, 'key.pem': key, out: '', conf: config(place) };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
  const child: ChildProcess = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args(place)], {
    stdio: 'ignore',
    env: name === 'syslog-ng' ? { ...process.env, LD_LIBRARY_PATH: LIBRARIES } : process.env,
  });
  const path = join(directory, 'socket');
  await until(
    () => existsSync(path) && canConnect(place.port),
    10_000,
    () => `${name} to listen`,
  );
  const lines = () => readFileSync(join(directory, 'out'), 'utf8').split('\n').slice(0, -1);
  return {
    port: place.port,
    path,
    async received(count) {
      await until(
        () => lines().length >= count,
        10_000,
        () => `${count} lines instead of ${lines().length}`,
      );
      return lines().map((line) => {
        const { sd, ...rest } = JSON.parse(line);
        return { ...rest, sd: { ...sdOf(sd) } };
      });
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
