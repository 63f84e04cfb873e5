import { isInternalHost, readAddress, registrableHost } from './address.ts';
import { ADDRESSES_MAX, addressesIn } from './contents.ts';
import { decodeUrl } from './decode.ts';
import { analyzeRequest, newReading, type Reading } from './request/request.ts';
import { Findings, type Signal } from './signal.ts';
import { ABUSED, DELIVERY_HOSTING, FREE, isOn, SHORTENERS } from './url-hosting.ts';
import { BAIT, CHEAP_ENDINGS } from './url-lists.ts';
import { type Host, isKnownHost, isOwnDomain, judgeNames, readableHost } from './url-names.ts';
import { URL_SIGNALS as SIGNALS } from './url-signals.ts';
import { judge } from './verdict.ts';
import { shareOf } from './words.ts';

const ADDRESS_CHARS_MAX = 4_096;
/** Limit of searches for attacks; each takes as long as judging an address. */
const READINGS_MAX = 200;
const EXECUTABLE =
  /\.(?:exe|scr|bat|cmd|msi|apk|jar|vbs|vbe|js|jse|wsf|hta|ps1|dll|com|pif|lnk|iso|img|dmg|bin|sh|elf|mips|arm\d?|i\d86|x86|doc|docm|xlsm|xls|rtf|zip|rar|7z)$/i;
/** Installers as publishers offer them; other programs are usually sent as attachments. */
const INSTALLER = /^[\w.+-]{2,80}\.(?:exe|msi|dmg|iso|img|apk|jar|sh|bin|7z|rar)$/i;
/** A document extension before the last one, which determines how the file is handled. */
const DOCUMENT_BEFORE_ENDING = /\.(?:pdf|docx?|xlsx?|jpe?g|png|gif|txt)\.\w{2,5}$/i;
const RUNS_ON_SERVER = /\.(?:php\d?|phtml|aspx?|jspx?|cgi|pl)$/i;
const PACKED = /\.(?:zip|rar|7z|doc|xls|rtf)$/i;
const CMS_FOLDER =
  /\/(?:wp-(?:content|includes|admin)|images?|img|css|js|tmp|temp|cache|uploads?|plugins|components|modules|templates|themes|language|media|administrator|includes|\.well-known|cgi-bin|fonts|assets|libraries|\.\w{2,12})\//i;
const CMS_FILE = /\.(?:php\d?|html?|asp|cgi|exe|zip|scr|jar|apk)(?:$|\/)/i;

/** WordPress admin pages for authors. */
const ADMIN_PAGE =
  /\/wp-admin\/(?:network\/)?(?:admin|admin-ajax|comment|edit|edit-tags|export|import|index|nav-menus|options(?:-\w+)?|plugins|post|post-new|profile|site-editor|themes|tools|update-core|upload|users?(?:-\w+)?|widgets)\.php$/;
/** Paths of articles, which describe a topic rather than ask for input. */
const ARTICLE =
  /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:docs?|guides?|handbook|manual|wiki|tutorials?|blog|posts?|articles?|projects?|20\d\d\/\d\d)\/[\w/-]{4,200}(?:\.html)?$/;
/** A one-time secret, which links in requested mails have and links to phishing forms lack. */
const SECRET = /[?&](?:token|key|code|hash|sig(?:nature)?|_?t)=[\w.-]{16,}/i;
/** A sign-in page, and its return address. */
const SIGN_IN = /\/(?:login|signin|sign-in|sso|cas|authorize|auth)(?:\/[\w.-]{1,60}){0,3}\/?$/i;
const GOES_BACK = /^\?(?:[^#]*&)?(?:continue|return\w{0,10}|redirect\w{0,10}|next|service|goto)=http/i;
/** Archives of other pages. */
const ARCHIVE = /^https?:\/\/web\.archive\.org\/web\/\d{4,14}\w{0,3}\//;

/** Judges addresses, one per line, without network access. Only the worst counts; harmless ones do not offset it. */
export function analyzeUrl(content: string, findings: Findings, siteUrl: string | undefined): void {
  const addresses = addressesIn(content).slice(0, ADDRESSES_MAX);
  const ownDomain = domainOf(siteUrl);
  let worst: Findings | undefined;
  const reading = newReading(READINGS_MAX);
  for (const [index, text] of addresses.entries()) {
    const address = text.slice(0, ADDRESS_CHARS_MAX);
    const where = addresses.length === 1 ? 'in the URL' : `in URL ${index + 1}`;
    const found = new Findings();
    judgeAddress(address, (signal) => found.add(signal, where), ownDomain);
    // Each address is judged independently.
    reading.seen.clear();
    if (reading.readings > 0) findAttack(address, found, where, reading);
    if (worst === undefined || weightOf(found) > weightOf(worst)) worst = found;
  }
  for (const { signal, where } of worst?.all ?? []) findings.add(signal, where);
}

const weightOf = (findings: Findings): number =>
  findings.all.reduce((sum, { signal }) => sum + signal.weight, 0);

/** Reports attacks on the linked site in the path and query. */
function findAttack(address: string, findings: Findings, where: string, reading: Reading): void {
  const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  if (!/[<'"(;%|`{]|\.\.|[+ ](?:or|and|union)[+ ]/i.test(path)) return;
  const inner = new Findings();
  analyzeRequest(path.startsWith('/') ? path : `/${path}`, inner, reading);
  for (const { signal } of inner.all) if (signal.weight >= 5) findings.add(signal, where);
}

/** The registrable domain of a site; undefined without one. */
export function domainOf(siteUrl: string | undefined): string | undefined {
  const site = siteUrl === undefined ? undefined : parse(siteUrl);
  return site && registrableHost(site.hostname.toLowerCase());
}

type Report = (signal: Signal) => void;

/** Judges an address and an address inside it; `ownDomain` is the caller's, which others may imitate. */
export function judgeAddress(text: string, report: Report, ownDomain?: string): void {
  const inner = text.lastIndexOf('http') > 0 ? INNER.exec(text)?.[1] : undefined;
  const inside = new Findings();
  if (inner !== undefined) judgeOne(decodeUrl(inner), (signal) => inside.add(signal, ''), ownDomain);
  if (inner === undefined || judge(inside.all, 'url').verdict === 'clean') {
    if (ARCHIVE.test(text)) return;
    judgeOne(text, report, ownDomain);
    return;
  }
  report(SIGNALS.leadsElsewhere);
  for (const { signal } of inside.all) report(signal);
  // A trusted host is no recommendation for the target of its redirect.
  judgeOne(text, (signal) => (signal === SIGNALS.wellKnown ? undefined : report(signal)), ownDomain);
}

/** An address in a parameter or after a path. */
const INNER = /^[a-z]{2,10}:\/\/.{1,2000}?[?&/=](https?(?::|%3a)(?:\/|%2f){2}[^&#]{4,2000})/i;

function judgeOne(text: string, report: Report, ownDomain: string | undefined): void {
  if (/^\s*(?:mailto|tel|sms|callto):/i.test(text)) return;
  if (/^[\s\u0000-\u0020]*(?:javascript|vbscript|data:text\/html)/i.test(text)) {
    report(SIGNALS.scriptScheme);
    return;
  }
  const url = parse(text);
  if (url === undefined) {
    report(SIGNALS.malformed);
    if (/%40/.test(authorityOf(text))) report(SIGNALS.userInfo);
    return;
  }
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const domain = registrableHost(host);
  if (domain === ownDomain) return;
  if (text.slice(0, 9).toLowerCase().startsWith('http://')) report(SIGNALS.plainHttp);
  const readable = readableHost(host);
  judgeHost({ host, readable, domain }, authorityOf(text), url.pathname, report);
  judgePath(url, host, isKnownHost(domain), report);
  judgeNames({ host, readable, domain }, report, ownDomain);
}

function parse(text: string): URL | undefined {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return URL.parse(withScheme) ?? undefined;
}

const authorityOf = (text: string): string => /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)/i.exec(text)?.[1] ?? '';

function judgeHost({ host, readable, domain }: Host, authority: string, path: string, report: Report): void {
  const written = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d+$/, '');
  const address = readAddress(written.toLowerCase());
  if (address && !isInternalHost(address.text))
    report(address.isPlain ? SIGNALS.address : SIGNALS.disguisedAddress);
  else if (address && !address.isPlain) report(SIGNALS.disguisedAddress);
  if (authority.includes('@')) report(SIGNALS.userInfo);
  if (host.includes('xn--') && !/^[\p{L}\p{N}\p{M}.-]+$/u.test(readable)) report(SIGNALS.punycode);
  if (/[a-z]/i.test(written) && /[\u0370-\u03ff\u0400-\u04ff]/.test(written)) report(SIGNALS.mixedScripts);
  if (address) return;
  const labels = readable.split('.');
  if (labels.some((label) => /[a-z]/.test(label) && /[\u0370-\u03ff\u0400-\u04ff]/.test(label)))
    report(SIGNALS.mixedScripts);
  if (labels.length - domain.split('.').length >= 3) report(SIGNALS.manyLabels);
  if ((readable.match(/-/g)?.length ?? 0) >= 3) report(SIGNALS.hyphens);
  // Delivery networks assign random host names.
  if (!isOn(host, DELIVERY_HOSTING)) {
    if (shareOf(readable.replaceAll('.', ''), /[0-9]+/g) > 0.25) report(SIGNALS.digits);
    if (labels.slice(0, -1).some(isRandom)) report(SIGNALS.randomHost);
  }
  if (CHEAP_ENDINGS.test(host)) report(SIGNALS.cheapEnding);
  if (isOn(host, ABUSED)) report(ARTICLE.test(path) ? SIGNALS.freeHosting : SIGNALS.abusedHosting);
  else if (isOn(host, FREE)) report(SIGNALS.freeHosting);
  if (SHORTENERS.includes(host)) report(SIGNALS.shortener);
}

/** Whether letters look random: few vowels, or alternating with digits. */
function isRandom(label: string): boolean {
  if (label.length < 7) return false;
  const letters = label.replace(/[^a-z]/g, '');
  const vowels = shareOf(letters, /[aeiouy]+/g);
  const changes = label.match(/[a-z](?=[0-9])|[0-9](?=[a-z])/g)?.length ?? 0;
  return (
    changes >= 3 ||
    /[bcdfghjklmnpqrstvwxz]{5}/.test(label) ||
    (letters.length >= 8 && vowels < 0.2) ||
    /^[0-9a-f]{12,}$/.test(label)
  );
}

function judgePath(url: URL, host: string, isKnown: boolean, report: Report): void {
  const path = url.pathname;
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (EXECUTABLE.test(file) && !/\.(?:js|zip)$/i.test(file))
    report(
      url.protocol !== 'http:' && INSTALLER.test(file) && !CHEAP_ENDINGS.test(host)
        ? SIGNALS.download
        : SIGNALS.executable,
    );
  if (
    DOCUMENT_BEFORE_ENDING.test(file) &&
    (RUNS_ON_SERVER.test(file) || (EXECUTABLE.test(file) && !PACKED.test(file)))
  )
    report(SIGNALS.doubleEnding);
  const parts = decodeUrl(path)
    .split('/')
    .filter((part) => part !== '');
  if (/^(?:api\.telegram\.org\/bot\d+:|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/)/.test(host + path))
    report(SIGNALS.messengerDrop);
  if (!isKnown && parts.some((part) => isOwnDomain(part))) report(SIGNALS.brandInPath);
  const folder = isKnown || ADMIN_PAGE.test(path) ? null : CMS_FOLDER.exec(path);
  if (folder && CMS_FILE.test(path.slice(folder.index + folder[0].length))) report(SIGNALS.cmsPath);
  if (
    !isKnown &&
    !SHORTENERS.includes(host) &&
    parts.some((part) => part.length >= 6 && part.length <= 40 && isRandomPart(part))
  ) {
    report(parts.length === 1 && url.search === '' ? SIGNALS.randomPathAlone : SIGNALS.randomPath);
  }
  if (
    url.port !== '' &&
    !isInternalHost(host) &&
    !/^(?:80|443|8080|8443|3000|8000|20(?:8[237]|9[56]))$/.test(url.port)
  )
    report(SIGNALS.oddPort);
  const [, inside] = /https?(?:%3a|:)(?:%2f|\/){2}([\w.-]{1,255})/i.exec(path + url.search) ?? [];
  if (
    inside !== undefined &&
    registrableHost(inside.toLowerCase()) !== registrableHost(host) &&
    !(SIGN_IN.test(path) && GOES_BACK.test(url.search))
  )
    report(SIGNALS.addressInside);
  if (
    !isKnown &&
    !SECRET.test(url.search) &&
    /[\w.+-](?:@|%40)[\w-]+\.\w{2,}/.test(`${path}${url.search}${url.hash}`) &&
    BAIT.test(url.href)
  )
    report(SIGNALS.mailInside);
  if (BAIT.test(decodeHyphens(`${host} ${ARTICLE.test(path) ? '' : path}`))) report(SIGNALS.baitWords);
}

const decodeHyphens = (text: string): string => text.replace(/[-_./]/g, ' ');

function isRandomPart(part: string): boolean {
  if (/\.(?:html?|php|aspx?|pdf)$/i.test(part) && part.length < 24) return false;
  // Page assets have hashes in their names.
  if (/\.(?:jpe?g|png|webp|avif|gif|svg|ico|css|js|mjs|map|woff2?|mp4|webm)$/i.test(part)) return false;
  const changes = part.match(/[a-z](?=[0-9])|[0-9](?=[a-z])|[a-z](?=[A-Z])/gi)?.length ?? 0;
  const mixed = part.match(/[a-zA-Z](?=[0-9])|[0-9](?=[a-zA-Z])/g)?.length ?? 0;
  return !/[-_ ]/.test(part) && mixed >= 3 && changes >= 3;
}
