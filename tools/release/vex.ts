import packageJson from '../../package.json' with { type: 'json' };
import { iso } from '../../src/lib/clock.ts';
import { DEBIAN_PINS, purlOf } from './image/debian-lock.ts';
import { pinnedPackages } from './lock.ts';
import statements from './vex-statements.json' with { type: 'json' };

/** What is known of a vulnerability in something that a release contains. */
export interface VexStatement {
  /** Such as CVE-2010-4756. */
  readonly vulnerability: string;
  /** Its name in the bill of materials. */
  readonly package: string;
  /** Why it does not apply, as OpenVEX names reasons. */
  readonly justification: string;
  readonly impact: string;
  /** Functions that the executable must not import for this to be true. */
  readonly unused?: readonly string[];
}

export const VEX_STATEMENTS: readonly VexStatement[] = statements;

/**
 * What scanners find in a release and why it does not apply, as OpenVEX 0.2.0.
 *
 * @param root of the source
 */
export function vexOf(
  root: string,
  { version, committedAt }: { version: string; committedAt: number },
): string {
  const npm = [...pinnedPackages(root).keys()];
  const purlsOf = (name: string): string[] => [
    ...DEBIAN_PINS.filter((pin) => pin.name === name).map(purlOf),
    ...npm
      .filter((each) => each.startsWith(`${name}@`))
      .map((each) => `pkg:npm/${each.replace(/^@/, '%40')}`),
  ];
  const products = [`pkg:generic/redoubt@${encodeURIComponent(version)}`, `pkg:oci/redoubt?tag=${version}`];
  const timestamp = iso(committedAt);
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `tag:example.org,2026:redoubt/vex/${version}`,
    author: packageJson.author,
    role: 'vendor',
    timestamp,
    version: 1,
    tooling: 'bun run release',
    statements: VEX_STATEMENTS.map(({ vulnerability, package: name, justification, impact }) => ({
      vulnerability: { name: vulnerability },
      products: products.map((product) => ({
        '@id': product,
        subcomponents: purlsOf(name).map((purl) => ({ '@id': purl })),
      })),
      status: 'not_affected',
      justification,
      impact_statement: impact,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
