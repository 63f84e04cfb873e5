import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { answersOf, statusOf } from './send.ts';
import { wireOf } from './wire.ts';

/** Where Debian's packages put their files. */
export const APACHE = '/usr/sbin/apache2';
export const RULES = '/usr/share/modsecurity-crs/owasp-crs.load';
const RECOMMENDED = '/etc/modsecurity/modsecurity.conf-recommended';
const START_MS = 20_000;
const LOGIN_PAGE = 'GET /login HTTP/1.1';
const ATTACK = "1' UNION SELECT user_pass FROM wp_users-- ";

/** Apache with ModSecurity and the core rule set at one paranoia level, all else as it comes. */
export class CoreRuleSet {
  readonly name: string;
  readonly #port: number;
  readonly #process: ChildProcess;

  private constructor(level: 1 | 2, port: number, process: ChildProcess) {
    const version = execFileSync('dpkg-query', ['--show', `--showformat=$\{Version}`, 'modsecurity-crs']);
    this.name = `CRS ${version}, level ${level}`;
    this.#port = port;
    this.#process = process;
  }

  /** Starts it and sees that it lets something through and blocks something. */
  static async start(level: 1 | 2): Promise<CoreRuleSet> {
    const folder = temporaryDirectory();
    // Apache's workers are another user when it is started by root.
    chmodSync(folder, 0o711);
    mkdirSync(join(folder, 'data'));
    chmodSync(join(folder, 'data'), 0o777);
    writeFileSync(join(folder, 'page.txt'), 'Hello\n');
    const port = await freePort();
    const file = join(folder, 'apache.conf');
    writeFileSync(file, configuration(folder, port, level));
    const child = spawn(APACHE, ['-D', 'FOREGROUND', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    const started = new CoreRuleSet(level, port, child);
    const until = Date.now() + START_MS;
    while ((await statusOf(port, wireOf(LOGIN_PAGE))) === 0 && child.exitCode === null && Date.now() < until)
      await Bun.sleep(100);
    const { found, refused } = await started.judge([LOGIN_PAGE, ATTACK]);
    if (found === 1 && refused === 0) return started;
    await started.stop();
    throw new Error(`ModSecurity does not judge as it should: ${found} of 2 blocked, ${refused} refused.`);
  }

  /** How many contents a rule blocks, and how many Apache itself refuses or does not answer. */
  async judge(contents: readonly string[]): Promise<{ found: number; refused: number }> {
    const statuses = await answersOf(this.#port, contents.map(wireOf));
    return {
      found: statuses.filter((status) => status === 403).length,
      refused: statuses.filter(isRefusal).length,
    };
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const over = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await over;
  }
}

/** What Apache answers before the rules have read the body; 405 comes after them, of the page that is sent. */
const isRefusal = (status: number): boolean =>
  status === 0 || status >= 500 || [400, 404, 408, 411, 413, 414, 417, 431].includes(status);

function configuration(folder: string, port: number, level: number): string {
  const modules = ['mpm_event', 'authz_core', 'alias', 'unique_id', 'security2'];
  const recommended = readFileSync(RECOMMENDED, 'utf8')
    .replace(/^Sec(?:Audit|DataDir|RuleEngine|UnicodeMapFile).*$/gm, '')
    // A body that cannot be read is the rules' affair, not Apache's.
    .replaceAll('status:400', 'status:403');
  writeFileSync(join(folder, 'modsecurity.conf'), recommended);
  return `
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
LogLevel crit
ServerName shop.example
Listen 127.0.0.1:${port}
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
User www-data
Group www-data
KeepAlive Off
Timeout 5
AllowEncodedSlashes NoDecode
# Every path is there, so that whatever is blocked is blocked by a rule.
AliasMatch "^" "${folder}/page.txt"
Include ${folder}/modsecurity.conf
SecUnicodeMapFile /etc/modsecurity/unicode.mapping 20127
SecDataDir ${folder}/data
SecAuditEngine Off
SecRuleEngine On
SecAction "id:1000,phase:1,nolog,pass,setvar:tx.paranoia_level=${level}"
Include ${RULES}
`;
}
