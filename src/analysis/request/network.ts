import { isInternalHost, readAddress } from '../address.ts';
import { REQUEST, type Report } from './signals.ts';

const URLS = /(?:^|[\s"'=(,;@<>])([a-z][a-z0-9+.-]{1,20}):\/\/([^\s/?#"'<>\\]{1,260})/gi;
const URLS_MAX = 50;
const SCHEMES = new Set([
  'gopher',
  'dict',
  'tftp',
  'ldap',
  'ldaps',
  'jar',
  'netdoc',
  'sftp',
  'file',
  'local_file',
  'imap',
  'smb',
  'rmi',
  'telnet',
  'redis',
  'mysql',
  'unix',
]);
const METADATA =
  /^(?:169\.254\.169\.254|metadata\.google\.internal|metadata|100\.100\.100\.200|192\.0\.0\.192|fd00:ec2::254|169\.254\.170\.2|instance-data|metadata\.\w+\.\w+)$/i;
const CALLBACK =
  /(?:^|\.)(?:burpcollaborator\.net|oastify\.com|interact\.sh|oast\.\w+|dnslog\.cn|ceye\.io|requestbin\.\w+|webhook\.site|pipedream\.net|canarytokens\.com|bxss\.me|xss\.ht|nip\.io|xip\.io|sslip\.io|localtest\.me|lvh\.me|ngrok\.io|rndsub\.\w+|1u\.ms|rbndr\.us|burpcol\w*|r87\.me|vcap\.me|evil\.com|attacker\.\w+|hacker\.\w+|ha\.ckers\.org|example\.com\.evil)$/i;

/** Finds addresses that a server, but no visitor, would have a reason to be asked to open. */
export function findNetwork(value: string, report: Report, isWhole: boolean): void {
  let read = 0;
  for (const [, scheme = '', authority = ''] of value.includes('://') ? value.matchAll(URLS) : []) {
    if (++read > URLS_MAX) return;
    if (SCHEMES.has(scheme.toLowerCase())) report(REQUEST.ssrfScheme);
    judgeHost(authority, report, isWhole);
  }
  if (/169\.254\.169\.254|metadata\.google\.internal|\/latest\/meta-data|computeMetadata\/v1/.test(value))
    report(REQUEST.ssrfMetadata);
  if (isWhole) findRedirect(value, report);
}

function judgeHost(authority: string, report: Report, isWhole: boolean): void {
  const withoutUser = authority.slice(authority.lastIndexOf('@') + 1);
  const host = withoutUser
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  const address = readAddress(host);
  if (METADATA.test(host) || (address !== undefined && METADATA.test(address.text)))
    report(REQUEST.ssrfMetadata);
  else if (isWhole && isInternalHost(address?.text ?? host)) report(REQUEST.ssrfInternal);
  if (address !== undefined && !address.isPlain) report(REQUEST.ssrfDisguised);
  if (CALLBACK.test(host)) report(REQUEST.callback);
}

function findRedirect(value: string, report: Report): void {
  if (
    /^(?:[\s\u0000-\u0020]*(?:\/|\\){2,}[\w.@-]+\.\w|\/\\|https?:(?!\/\/)[\w./\\]|https?:\/{3,}|\/{1,3}[\t\r\n]|\/\/[^/\s]+@|https?:\\|[/\\]{2,}[^/\s]{1,60}\/(?:%2e|\.)|\/[^/\s]{0,20}%2f%2f|\u3002\w|[\w@.-]{1,60}\u3002\w)/i.test(
      value,
    )
  )
    report(REQUEST.openRedirect);
}
