/** Maximum number of entries parsed; clients send fewer. */
const ENTRIES_MAX = 16;
const ENTRY = /^(gzip|x-gzip|\*)[ \t]*(?:;[ \t]*q=(0?\.\d{1,3}|[01](?:\.\d{0,3})?)[ \t]*)?$/;

/**
 * Whether a client accepts gzip, by the weight of gzip or otherwise of `*` (RFC 9110, section 12.5.3).
 * Malformed entries are ignored, because every client accepts uncompressed content.
 */
export function acceptsGzip(request: Request): boolean {
  const codings = request.headers.get('accept-encoding');
  if (codings === null) return false;
  let anyCoding = false;
  for (const entry of codings.toLowerCase().split(',', ENTRIES_MAX)) {
    const [, coding, weight = '1'] = ENTRY.exec(entry.trim()) ?? [];
    const isAccepted = Number(weight) > 0 && Number(weight) <= 1;
    if (coding === '*') anyCoding = isAccepted;
    else if (coding !== undefined) return isAccepted;
  }
  return anyCoding;
}
