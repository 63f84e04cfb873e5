import type { Signal } from '../signal.ts';
import { LOG } from './signals.ts';

/** Messages of Apache and nginx about refused paths and missing files. */
const REFUSED_PATH = /\bAH10244: invalid URI path \((\/[^\n]{1,2000})\)/;
const MISSING_FILE =
  /\bscript '([^'\n]{1,500})' not found or unable to stat|\bFile does not exist: ([^\n,]{1,500})|\bclient denied by server configuration: ([^\n,]{1,500})|\bopen\(\) "([^"\n]{1,500})" failed \(2:/;
const MISSING_SCRIPT = /\bPrimary script unknown\b[^\n]{0,400}?\brequest: "[A-Z]{3,10} (\S{1,500})/;
/** Programs that scanners request from every host. If the site has one, there is no error. */
const SOUGHT =
  /\/(?:wp-(?:login|config|cron|setup|admin\/(?:setup-config|install))\w{0,10}\.php|xmlrpc\.php|phpmyadmin\b|pma\b|adminer[\w.-]{0,20}\.php|eval-stdin\.php|connector\.minimal\.php|setup\.php|(?:web)?shell\d?\.php|c99\.php|r57\.php|alfa\w{0,10}\.php|wso\w{0,6}\.php|cmd\.php|\.env\b|\.git\/|\.aws\/|\.svn\/|cgi-bin\/\S{1,80}|vendor\/phpunit\/\S{1,100}|config\.json|info\.php|phpinfo\.php)/i;
/** Bash's message about an invalid function in a header (Shellshock). */
const SHELL_REFUSES = /\b(?:ignoring function definition attempt|error importing function definition for)\b/;

/** The path that a server refused, as sent by the client; undefined for other lines. */
export const refusedPathIn = (line: string): string | undefined => REFUSED_PATH.exec(line)?.[1];

/** Finds errors in web server logs that scanners cause. */
export function findServerErrors(line: string, report: (signal: Signal) => void): void {
  const missing = MISSING_FILE.exec(line)
    ?.slice(1)
    .find((path) => path !== undefined);
  const asked = missing ?? MISSING_SCRIPT.exec(line)?.[1];
  if (asked !== undefined && SOUGHT.test(asked)) report(LOG.soughtProgram);
  if (SHELL_REFUSES.test(line)) report(LOG.stopped);
}
