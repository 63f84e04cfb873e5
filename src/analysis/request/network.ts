import { isInternalHost, readAddress } from '../address.ts';
import { isProse, setOf } from '../words.ts';
import { REQUEST, type Report } from './signals.ts';

const URLS = /(?:^|[\s"'=(,;@<>])([a-z][a-z0-9+.-]{1,20}):\/\/([^\s/?#"'<>\\]{1,260})/gi;
const URLS_MAX = 50;
const SCHEMES = setOf('gopher dict tftp jar netdoc local_file smb rmi telnet');
const METADATA_HOST =
  /^(?:169\.254\.169\.254|metadata\.google\.internal|metadata|100\.100\.100\.200|192\.0\.0\.192|fd00:ec2::254|169\.254\.170\.2|instance-data|rancher-metadata|metadata\.\w+\.\w+)$/i;
/** Hosts that record requests, used by testers and attackers. */
const RECORDER =
  /(?:^|[^\w.-]|[\w-]\.)(?:burpcollaborator\.net|oastify\.com|interact(?:sh\.com|\.sh)|oast\.(?:pro|live|site|online|fun|me|today)|dnslog\.(?:cn|link|store)|ceye\.io|requestbin\.(?:com|net|org)|canarytokens\.(?:com|org)|bxss\.(?:me|in)|xss\.(?:ht|report)|ezxss\.com|xsshunter\.\w{2,6}|rndsub\.\w{2,6}|1u\.ms|rbndr\.us|r87\.(?:me|com)|eyes\.sh|dig\.pm|pingb\.in|callback\.red|log4shell\.huntress\.com|requestcatcher\.com|dnsbin\.\w{2,10}|ipv6\.1433\.eu\.org|evil\.com|attacker\.(?:com|net|org|tld|example)|hacker\.(?:com|net|org)|ha\.ckers\.org|example\.com\.evil)(?![\w-]|\.[a-z])/i;
/** Request inboxes for developers: suspicious only if a command requests them. */
const INBOX =
  /(?:^|\.)(?:webhook\.site|pipedream\.net|ngrok\.io|ngrok-free\.app|beeceptor\.com|hookbin\.com)$/i;
/** DNS names that resolve to an address in the name, or to the loopback address. */
const REBINDING =
  /(?:^|\.)(?:nip\.io|xip\.io|sslip\.io|localtest\.me|lvh\.me|vcap\.me|traefik\.me|lacolhost\.com|yoogle\.com|localho\.st)$/i;
/** Names of fields with an address that a program opens. */
const PLACE =
  /^(?:\w{0,20}_?)?(?:u|ur[li]|link|href|src|target|dest(?:ination)?|feed|proxy|endpoint|server|domain|host(?:name)?|callback|webhook|fetch|load|image|img|remote|redirect|path|site|page|addr(?:ess)?|ip|x?forward\w{0,5})\]?$/i;

/** Addresses within another scheme, or in a scheme specific to Java. */
const OTHER_SCHEME =
  /^\s{0,5}(?:jar:(?:https?|file|ftp):|netdoc:|url:(?:https?|file|ftp|jar):|(?:gopher|dict|ldap):\/{3})|(?:^|["'(])(?:msl|mvg|ephemeral|vid|caption):[/@]/i;

/** A host after a character that some parsers take as the end of the previous host. */
const SECOND_HOST = /^[a-z]{2,10}:\/\/[^\s/]{1,200}[#?\\]@([\w.[\]:-]{1,200})/i;

/** A page asset with the scheme of the page. */
const ASSET =
  /^\/\/[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}\/[^?#%@\s]{1,500}\.(?:js|css|png|jpe?g|gif|svg|webp|woff2?)$/i;
/** Names of settings for the address of a service. */
const SERVICE =
  /(?:database|db|cache|broker|queue|session|mail|directory)_?(?:ur[il]|dsn|host|server)|dsn$|connection|share$/i;

const isOwnFile = (scheme: string, authority: string): boolean =>
  scheme.toLowerCase() === 'file' && /^[a-z]:?$/i.test(authority);

/** Whether a field configures a service, such as `redis_url` for `redis://cache:6379`. */
const isSetting = (scheme: string, name: string): boolean =>
  scheme.length > 2 &&
  !/^(?:file|gopher|dict|jar|netdoc)/i.test(scheme) &&
  (name.toLowerCase().includes(scheme.toLowerCase()) || SERVICE.test(name));

const FETCHED =
  /^(?:https?|wss?|ftps?|file|gopher|dict|tftp|ldaps?|jar|netdoc|sftp|local_file|smb|rmi|telnet|redis|unix)$/i;
/** Names of fields that describe a service, which is not requested. */
const DESCRIBED =
  /health|broker|server|upstream|backend|nodes?$|peers$|spec$|openapi|swagger|metrics|exporter|listen|issuer|audience|entity_?id|namespace|base_?ur[li]|^(?:generator|external|rule|runbook|dashboard|panel|silence|html|web|build|job)_?ur[li]$/i;

/** Finds addresses that only a server could open, not a visitor. */
export function findNetwork(value: string, report: Report, isWhole: boolean, name = ''): void {
  let read = 0;
  for (const { index, 1: scheme = '', 2: authority = '' } of value.includes('://')
    ? value.matchAll(URLS)
    : []) {
    if (++read > URLS_MAX) return;
    if (SCHEMES.has(scheme.toLowerCase()) && !isOwnFile(scheme, authority) && !isSetting(scheme, name))
      report(REQUEST.ssrfScheme);
    const isOpened = FETCHED.test(scheme) && !isSetting(scheme, name) && !DESCRIBED.test(name);
    judgeHost(authority, report, isWhole && isOpened && !/\S\s+\S/.test(value.slice(0, index)));
  }
  if (value.includes('.') && RECORDER.test(value) && !isProse(value)) report(REQUEST.callback);
  if (isWhole && OTHER_SCHEME.test(value)) report(REQUEST.ssrfScheme);
  if (/169\.254\.169\.254|metadata\.google\.internal|\/latest\/meta-data|computeMetadata\/v1/.test(value))
    report(REQUEST.ssrfMetadata);
  const [, secondHost] = (isWhole && value.includes('@') && SECOND_HOST.exec(value)) || [];
  if (secondHost !== undefined) judgeHost(secondHost, report, true);
  if (isWhole) findRedirect(value, report);
}

function judgeHost(authority: string, report: Report, isWhole: boolean): void {
  const withoutUser = authority.slice(authority.lastIndexOf('@') + 1);
  const host = hostOf(withoutUser);
  judgeName(host, report, isWhole);
}

/** Names of fields whose address is requested; for other names, a port is part of a setting. */
const OPENED = /^(?:u|ur[li]|src|feed|fetch|load|image|img|target)$/i;

/** Finds addresses without a scheme in fields whose name implies a request. */
export function findPlace(value: string, name: string, report: Report): void {
  const place =
    /^\s{0,5}(?:\/\/)?(\[[0-9a-f:.]{2,45}\]|[\w.-]{1,255})(:\d{1,5})?([/?#].{0,2000})?\s{0,5}$/i.exec(value);
  if (!place) return;
  const [, authority = '', port, rest] = place;
  const host = hostOf(authority);
  const isSlashed = value.trimStart().startsWith('//');
  if (METADATA_HOST.test(host) && /[.:]/.test(host)) report(REQUEST.ssrfMetadata);
  if (!isSlashed && !PLACE.test(name)) return;
  const address = readAddress(host);
  const isNumber =
    /^\d{1,9}$/.test(host) || (/^\d{1,3}\.\d{1,3}(?:\.\d{1,3})?$/.test(host) && !/^127\./.test(host));
  if (address !== undefined && !address.isPlain && !isNumber && isInternalHost(address.text))
    report(REQUEST.ssrfDisguised);
  else if (REBINDING.test(host) && host.includes('.')) report(REQUEST.ssrfDisguised);
  // A host alone is normal in settings.
  else if (
    (isSlashed ||
      rest !== undefined ||
      (port !== undefined && OPENED.test(name)) ||
      (authority.startsWith('[') && port)) &&
    isInternalHost(address?.text ?? host)
  )
    report(REQUEST.ssrfInternal);
}

const hostOf = (authority: string): string =>
  authority
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();

function judgeName(host: string, report: Report, isWhole: boolean): void {
  const address = readAddress(host);
  if (METADATA_HOST.test(host) || (address !== undefined && METADATA_HOST.test(address.text)))
    report(REQUEST.ssrfMetadata);
  else if (
    isWhole &&
    (host === '::' || /\.svc$|^localhost\.localdomain$/.test(host) || isInternalHost(address?.text ?? host))
  )
    report(REQUEST.ssrfInternal);
  if (address !== undefined && !address.isPlain) report(REQUEST.ssrfDisguised);
  if (isWhole && REBINDING.test(host)) report(REQUEST.ssrfDisguised);
  if (INBOX.test(host)) report(REQUEST.inbox);
}

function findRedirect(value: string, report: Report): void {
  if (ASSET.test(value)) return;
  if (
    /^(?:[\s\u0000-\u0020]*(?:\/|\\){2,}[\w.@-]+\.\w|\/\\|https?:(?!\/\/)[\w./\\]|https?:\/{3,}|\/{1,3}[\t\r\n]|\/\/[^/\s]+@|https?:\\|[/\\]{2,}[^/\s]{1,60}\/(?:%2e|\.)|\/[^/\s]{0,20}%2f%2f|\u3002\w|[\w@.-]{1,60}\u3002\w)/i.test(
      value,
    )
  )
    report(REQUEST.openRedirect);
}
