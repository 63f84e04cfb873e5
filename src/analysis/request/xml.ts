import { isInternalHost, readAddress } from '../address.ts';
import { REQUEST, type Report } from './signals.ts';

const INCLUDE_NAMESPACE = 'http://www.w3.org/2001/XInclude';
/** References to further parts of a schema or service description. */
const LOCATION =
  /\b(?:(noNamespaceSchemaLocation|schemaLocation)|(?<=<(?:\w{1,20}:)?(?:import|include|redefine|override)\s[^<>]{0,300}?)location)\s{0,5}=\s{0,5}(["'])([^"'<>]{1,1000})\2/gi;
const LOCATIONS_MAX = 20;
/** Publishers of well-known schemas. */
const PUBLISHERS =
  /(?:^|\.)(?:w3\.org|xmlsoap\.org|oasis-open\.org|apache\.org|springframework\.org|sitemaps\.org|google\.com|jcp\.org|oracle\.com|sun\.com|eclipse\.org|microsoft\.com|opengis\.net|loc\.gov|openarchives\.org|topografix\.com|garmin\.com|datacite\.org|crossref\.org|hibernate\.org|jboss\.org|mulesoft\.org|liquibase\.org|ivoa\.net|europa\.eu|unece\.org)$/i;

/** The registrable domain, approximately: the last two labels. */
const ownerOf = (address: string): string | undefined =>
  /^[a-z]{2,10}:\/\/(?:[^/@\s]{1,100}@)?([^/:?#\s]{1,255})/i
    .exec(address)?.[1]
    ?.toLowerCase()
    .split('.')
    .slice(-2)
    .join('.');

/** Finds XML that makes a parser open files or other hosts. */
export function findXml(value: string, report: Report): void {
  if (value.includes(INCLUDE_NAMESPACE) && /<(?:\w{1,20}:)?include\b/i.test(value)) report(REQUEST.xmlEntity);
  if (!/location\s{0,5}=/i.test(value)) return;
  let read = 0;
  for (const [, kind = '', , text = ''] of value.matchAll(LOCATION)) {
    if (++read > LOCATIONS_MAX) return;
    const words = text.trim().split(/\s+/);
    // `schemaLocation` alternates namespaces and locations.
    const isPaired = kind.toLowerCase() === 'schemalocation' && words.length > 1;
    for (const [index, address] of words.entries()) {
      if (isPaired && index % 2 === 0) continue;
      const namespace = isPaired ? words[index - 1] : undefined;
      if (isOpened(address, namespace)) report(REQUEST.xmlSchema);
    }
  }
}

/** Whether a parser would open a resource that is not from the publisher of the namespace. */
function isOpened(address: string, namespace: string | undefined): boolean {
  if (/^(?:file|ftp|gopher|jar|netdoc|php|expect):/i.test(address) || /^(?:\/{2,}|\\\\)/.test(address))
    return true;
  const host = /^https?:\/\/(?:[^/@\s]{1,100}@)?([^/:?#\s]{1,255})/i.exec(address)?.[1];
  if (host === undefined) return false;
  if (readAddress(host.toLowerCase()) !== undefined || isInternalHost(host.toLowerCase())) return true;
  if (PUBLISHERS.test(host)) return false;
  return namespace === undefined || ownerOf(namespace) !== ownerOf(address);
}
