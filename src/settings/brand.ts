import { isUtf8 } from 'node:buffer';
import { closeSync, constants } from 'node:fs';
import { type Accent, accentOf } from '../domain/brand/accent.ts';
import { type Brand, type Logo, OWN_BRAND, whyNameRefused } from '../domain/brand/brand.ts';
import { pngPicture } from '../domain/brand/png-logo.ts';
import { whySvgRefused } from '../domain/brand/svg-logo.ts';
import { fileWords } from '../lib/file-trouble.ts';
import { openPlainFile, readAtMost } from '../lib/read-file.ts';
import { type Config, ConfigRefused } from './config.ts';
import { SETTINGS } from './settings.ts';

/** Small, because every page contains it. */
const LOGO_BYTES_MAX = 64 * 1_024;
const PNG = 0x89;

type BrandSettings = Pick<Config, 'brandName' | 'brandLogo' | 'brandColor' | 'supportUrl'>;

/**
 * Reads the brand that customers see.
 *
 * @throws ConfigRefused if a name, color or image is unsafe or unreadable; no part of it is used then
 */
export function loadBrand({ brandName, brandLogo, brandColor, supportUrl }: BrandSettings): Brand {
  const why = brandName === undefined ? undefined : whyNameRefused(brandName);
  if (why !== undefined) throw new ConfigRefused(`${SETTINGS.brandName.env} ${why}. Use plain text`);
  return {
    name: brandName ?? OWN_BRAND.name,
    logo: brandLogo === undefined ? undefined : logoAt(brandLogo),
    accent: brandColor === undefined ? undefined : readableAccent(brandColor),
    support: supportUrl?.includes('@') && !supportUrl.includes(':') ? `mailto:${supportUrl}` : supportUrl,
  };
}

/** @param color in the form of the setting */
function readableAccent(color: string): Accent | undefined {
  const accent = accentOf(color);
  if (accent && 'nearest' in accent)
    throw new ConfigRefused(
      `${SETTINGS.brandColor.env} is too light to read on white. Use ${accent.nearest}, the nearest that passes`,
    );
  return accent;
}

function logoAt(path: string): Logo {
  const refused = (problem: string) => new ConfigRefused(`${SETTINGS.brandLogo.env}: ${path} ${problem}`);
  const bytes = bytesAt(path);
  if (bytes === undefined) throw refused(`is larger than ${LOGO_BYTES_MAX / 1_024} KiB`);
  if (bytes[0] === PNG) {
    const picture = pngPicture(bytes);
    if (typeof picture === 'string') throw refused(picture);
    return { type: 'image/png', content: picture };
  }
  const why = isUtf8(bytes) ? whySvgRefused(bytes.toString()) : 'is neither an SVG nor a PNG';
  if (why !== undefined) throw refused(why);
  return { type: 'image/svg+xml', content: new Uint8Array(bytes) };
}

/** @returns undefined if the file is too large */
function bytesAt(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openPlainFile(path, constants.O_RDONLY);
    return readAtMost(file, LOGO_BYTES_MAX);
  } catch (error) {
    throw new ConfigRefused(
      `${SETTINGS.brandLogo.env}: cannot read ${path}: ${fileWords(error as NodeJS.ErrnoException)}`,
    );
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
