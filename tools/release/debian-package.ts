import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { NO_SETTINGS } from '../../src/cli/init-service.ts';
import { LOCAL_EXECUTABLE, PACKAGED_EXECUTABLE } from '../../src/domain/release/places.ts';
import type { Packed } from './archive.ts';
import { debOf, deflated } from './deb.ts';

/** What goes into the packages of every platform. */
export interface CommonParts {
  readonly version: string;
  /** In seconds since the Unix epoch. */
  readonly committedAtSeconds: number;
  readonly manPage: string;
  readonly completions: Readonly<Record<'bash' | 'zsh' | 'fish', string>>;
  /** Units and what belongs to them, by their names. */
  readonly units: readonly Packed[];
  /** The license of this service and those of what is in it. */
  readonly licenses: string;
  readonly sbom: string;
  readonly handbook: string;
}

/** By the names that Debian has for what we call x64 and arm64. */
export type DebianArchitecture = 'amd64' | 'arm64';

const SCRIPTS = ['postinst', 'prerm', 'postrm'] as const;
const debianFile = (name: string): string => readFileSync(join(import.meta.dirname, 'debian', name), 'utf8');

export function debianPackage(
  executable: Uint8Array,
  architecture: DebianArchitecture,
  parts: CommonParts,
): Uint8Array {
  return debOf({
    control: {
      Package: 'redoubt',
      Version: debianVersion(parts.version),
      Architecture: architecture,
      Maintainer: packageJson.author,
      Section: 'net',
      Priority: 'optional',
      // Bun's own need, by the newest symbol that it asks for; the user is made by the tools of the latter.
      Depends: 'libc6 (>= 2.17), passwd',
      Recommends: 'systemd',
      Description: `${packageJson.description.replace(/^The /, '')}\n ${LONG_DESCRIPTION.join('\n ')}`,
    },
    scripts: Object.fromEntries(SCRIPTS.map((name) => [name, debianFile(name)])),
    files: filesOf(executable, parts),
    modifiedAtSeconds: parts.committedAtSeconds,
  });
}

/** SemVer's own order: what comes before a release sorts before it in Debian by a tilde. */
export const debianVersion = (version: string): string => {
  const [, release = '', before = '', build = ''] = /^([\d.]+)(?:-([^+]+))?(\+.+)?$/.exec(version) ?? [];
  return `${release}${before && `~${before.replaceAll('-', '.')}`}${build.replaceAll('-', '.')}`;
};

const LONG_DESCRIPTION = [
  'Security vendors, agencies and hosting companies run plugins and agents on',
  'many websites, servers and PCs. This is the service that those talk to:',
  'licenses, telemetry, a threat feed, vulnerabilities, evidence, credentials.',
];

function filesOf(executable: Uint8Array, parts: CommonParts): Packed[] {
  const text = (path: string, content: string): Packed => ({ path, bytes: Buffer.from(content) });
  const gzipped = (path: string, content: string): Packed => ({
    path,
    bytes: deflated(Buffer.from(content), 0, 9),
  });
  return [
    { path: PACKAGED_EXECUTABLE.slice(1), bytes: executable, isProgram: true },
    ...parts.units.map(({ path, bytes }) =>
      text(
        path.endsWith('.conf') ? `usr/share/doc/redoubt/examples/${path}` : `usr/lib/systemd/system/${path}`,
        Buffer.from(bytes).toString().replaceAll(LOCAL_EXECUTABLE, PACKAGED_EXECUTABLE),
      ),
    ),
    text('usr/share/bash-completion/completions/redoubt', parts.completions.bash),
    text('usr/share/doc/redoubt/copyright', parts.licenses),
    gzipped('usr/share/doc/redoubt/changelog.gz', debianChangelog(parts)),
    text('usr/share/doc/redoubt/handbook.html', parts.handbook),
    text('usr/share/doc/redoubt/sbom.cdx.json', parts.sbom),
    text('usr/share/fish/vendor_completions.d/redoubt.fish', parts.completions.fish),
    text('usr/share/lintian/overrides/redoubt', debianFile('lintian-overrides')),
    gzipped('usr/share/man/man1/redoubt.1.gz', parts.manPage),
    text('usr/share/redoubt/redoubt.env', NO_SETTINGS),
    text('usr/share/zsh/vendor-completions/_redoubt', parts.completions.zsh),
  ];
}

/** Debian's form of a changelog; CHANGELOG.md is the one for people. */
function debianChangelog({ version, committedAtSeconds }: CommonParts): string {
  const date = new Date(committedAtSeconds * 1_000).toUTCString().replace('GMT', '+0000');
  return `redoubt (${debianVersion(version)}) unstable; urgency=medium\n\n  * Release ${version}.\n\n -- ${packageJson.author}  ${date}\n`;
}
