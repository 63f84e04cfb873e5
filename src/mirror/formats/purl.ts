import { type Ecosystem, normalizeName, parseEcosystem } from '../../domain/vulnerability/ecosystem.ts';
import { isWholeText } from '../../lib/whole-text.ts';
import { RECORD_BOUNDS } from './fields.ts';

/** The component named by a package URL. */
export interface PurlComponent {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Null = unspecified. */
  readonly version: string | null;
  /** Whether it may be only a part or another build of the component, such as one binary package of a source package. */
  readonly isPart: boolean;
}

const CHARACTERS_MAX = 1_024;
const PURL = /^pkg:\/*([A-Za-z][A-Za-z0-9.+-]*)\/(@?[^@?#]+)(?:@([^?#]*))?(?:\?([^#]*))?(#.*)?$/;

/** Version numbers of distributions by their code names. */
const RELEASES: Readonly<Record<string, string>> = {
  buster: '10',
  bullseye: '11',
  bookworm: '12',
  trixie: '13',
  forky: '14',
  xenial: '16.04',
  bionic: '18.04',
  focal: '20.04',
  jammy: '22.04',
  noble: '24.04',
  resolute: '26.04',
};

/** Parses a package URL (purl-spec); undefined if it is malformed or its ecosystem is not supported. */
export function componentOfPurl(text: string): PurlComponent | undefined {
  if (text.length > CHARACTERS_MAX) return undefined;
  const [, type = '', path = '', rawVersion = '', query = '', subpath] = PURL.exec(text) ?? [];
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  const version = decoded(rawVersion);
  if (version === undefined || !parts.every((part) => part !== undefined)) return undefined;
  const qualifiers = new URLSearchParams(query);
  const found = placeOf(type.toLowerCase(), parts, qualifiers);
  const name = found && normalizeName(found.ecosystem, found.name);
  if (name === undefined || found === undefined) return undefined;
  if (version.length > RECORD_BOUNDS.versionCharacters) return undefined;
  const isPart =
    subpath !== undefined ||
    (qualifiers.get('arch') ?? 'source') !== 'source' ||
    [...qualifiers.keys()].some((name) => name !== 'arch' && name !== 'distro');
  return { ecosystem: found.ecosystem, name, version: version || null, isPart };
}

type Place = Pick<PurlComponent, 'ecosystem' | 'name'>;

function placeOf(type: string, parts: readonly string[], qualifiers: URLSearchParams): Place | undefined {
  const name = parts.at(-1) ?? '';
  const namespace = parts.slice(0, -1).join('/').toLowerCase();
  const at = (ecosystem: Ecosystem, named = name): Place => ({ ecosystem, name: named });
  if (type === 'npm') return at('npm', parts.join('/'));
  if (type === 'pypi') return at('pypi');
  const slug = /^(?:wpackagist-)?(core|plugin|theme)s?$/.exec(namespace)?.[1];
  if (slug && (type === 'wordpress' || type === 'composer')) return at(`wordpress-${slug}` as Ecosystem);
  if (type === 'wordpress' && namespace === '' && name.toLowerCase() === 'wordpress')
    return at('wordpress-core');
  if (type !== 'deb' || (namespace !== 'debian' && namespace !== 'ubuntu')) return undefined;
  const distro = (qualifiers.get('distro') ?? '').toLowerCase().replace(`${namespace}-`, '');
  const release = RELEASES[distro] ?? distro;
  const ecosystem = parseEcosystem(release === '' ? namespace : `${namespace}:${release}`);
  return ecosystem && { ecosystem, name };
}

/** Decodes percent-encoding; undefined if malformed. */
function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return isWholeText(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}
