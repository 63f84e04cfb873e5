import type { Command } from 'commander';
import { cvssSeverity, weighCvss } from '../domain/risk/cvss.ts';
import { deadlineFor } from '../domain/risk/deadline.ts';
import { decisionPoints } from '../domain/risk/decision-points.ts';
import { COMPONENT_VERSION } from '../domain/vulnerability/component.ts';
import {
  type Ecosystem,
  nameHash,
  normalizeName,
  parseEcosystem,
} from '../domain/vulnerability/ecosystem.ts';
import { assertionAbout } from '../domain/vulnerability/findings.ts';
import { type ComponentVulnerability, matchComponent } from '../domain/vulnerability/match.ts';
import {
  componentWords,
  deadlineWords,
  notAffectedWords,
  remedyWords,
} from '../operator/vulnerability-words.ts';
import type { Config } from '../settings/config.ts';
import type { Snapshot } from '../storage/mirror/open-snapshot.ts';
import { type Assertions, readAssertions } from '../storage/vulnerabilities/assertions.ts';
import { CommandRefused, print, printJson, table, WrongUsage } from '../terminal/output.ts';
import { withStore } from '../terminal/store.ts';
import { withCurrentSnapshot } from './vulns-snapshot.ts';

interface Wanted {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** `vulns lookup`: what is known of one version of a component. */
export function addLookupCommand(vulns: Command, settings: () => Config): void {
  vulns
    .command('lookup <ecosystem> <name> <version>')
    .description('show known vulnerabilities of one version of a component')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt vulns lookup wordpress-plugin contact-us 1.2.3')
    .action((ecosystem: string, name: string, version: string, { json }: { json?: true }) => {
      const wanted = wantedOf(ecosystem, name, version);
      return withStore(settings(), async ({ db }) => {
        const asserted = await readAssertions(db)();
        const found = await withCurrentSnapshot(db, settings().dataDir, (snapshot) =>
          lookUp(dataOf(snapshot, wanted.ecosystem), wanted, asserted),
        );
        if (json) printJson(found);
        else show(found);
      });
    });
}

function wantedOf(ecosystemText: string, nameText: string, version: string): Wanted {
  const ecosystem = parseEcosystem(ecosystemText);
  if (ecosystem === undefined)
    throw new WrongUsage(
      'the ecosystem must be wordpress-core, wordpress-plugin, wordpress-theme, npm, pypi, or debian, ubuntu or ubuntu-pro, optionally with a release such as debian:12',
    );
  if (ecosystem.startsWith('wordpress-') && nameText.includes('/'))
    throw new WrongUsage(
      'use only the folder of a plugin or theme: contact-us, not contact-us/contact-us.php',
    );
  const name = normalizeName(ecosystem, nameText);
  if (name === undefined)
    throw new WrongUsage(
      'the name must have 1 to 128 letters, digits and @ / . _ + ~ -, such as contact-us: a slug, or the name in its registry',
    );
  if (!COMPONENT_VERSION.test(version))
    throw new WrongUsage('the version must have 1 to 64 letters, digits and . + : ~ ! _ -, such as 1.2.3');
  return { ecosystem, name, version };
}

/** @throws CommandRefused when its silence would say nothing */
function dataOf(snapshot: Snapshot | null, ecosystem: Ecosystem): Snapshot {
  if (snapshot === null)
    throw new CommandRefused('no feed has been imported yet. See redoubt vulns import --help');
  if (!snapshot.hasDataOf(ecosystem))
    throw new CommandRefused(
      `no imported feed covers ${ecosystem}. Import one; "redoubt vulns status" lists the imported feeds`,
    );
  return snapshot;
}

function lookUp(snapshot: Snapshot, { ecosystem, name, version }: Wanted, asserted: Assertions) {
  const known = snapshot.recordsOf(nameHash(ecosystem, name));
  const { outcome, vulnerabilities } = matchComponent(ecosystem, version, known);
  return {
    ecosystem,
    name,
    version,
    snapshot_id: snapshot.id,
    outcome,
    vulnerabilities: vulnerabilities.map((found) => described(snapshot, found, asserted)),
  };
}

function described(
  snapshot: Snapshot,
  { vulnerability, fixedVersions, notAffected }: ComponentVulnerability,
  asserted: Assertions,
) {
  const { id, aliases, title, facts, sources } = snapshot.get(vulnerability);
  const assertedExploitation = assertionAbout({ id, aliases }, asserted)?.exploitation ?? null;
  const cvss = weighCvss(facts.cvssVectors);
  const unknown = { importance: null, component: null };
  const points = decisionPoints({ ...facts, ...unknown, exposure: 'open', assertedExploitation }, cvss);
  return {
    vulnerability_id: id,
    aliases,
    severity: cvssSeverity(cvss),
    deadline: deadlineFor(points),
    fixed_versions: fixedVersions,
    not_affected: notAffected,
    title,
    sources: snapshot.sources
      .filter(({ name }) => sources.includes(name) || notAffected?.source === name)
      .map(({ name, license, attribution }) => ({ source: name, license, attribution })),
  };
}

const COLUMNS = ['id', 'severity', 'time', 'what to do', 'title'];

type Found = ReturnType<typeof lookUp>;

function outcomeWords({ ecosystem, name, version, outcome, vulnerabilities }: Found): string {
  const component = componentWords(ecosystem, name, version);
  const { length } = vulnerabilities.filter(({ not_affected }) => not_affected === null);
  const lowered = vulnerabilities.length - length;
  switch (outcome) {
    case 'vulnerable':
      return `${component} has ${length === 1 ? '1 known vulnerability' : `${length} known vulnerabilities`}.`;
    case 'no_known':
      return lowered > 0
        ? `The supplier of ${component} states that it is not affected.`
        : `The imported feeds list no vulnerability in ${component}.`;
    case 'unknown_version':
      return `There are known vulnerabilities, but the version of ${component} cannot be compared with them.`;
  }
}

function show(found: Found): void {
  print(outcomeWords(found));
  const { vulnerabilities } = found;
  if (vulnerabilities.length === 0) return;
  const rows = vulnerabilities.map((one) => [
    one.vulnerability_id,
    one.severity,
    one.not_affected ? 'none' : deadlineWords(one.deadline),
    one.not_affected ? notAffectedWords(one.not_affected) : remedyWords(one.fixed_versions),
    one.title,
  ]);
  print(`\n${table(COLUMNS, rows)}\n`);
  const told = vulnerabilities.flatMap(({ sources }) => sources);
  const attributions = new Map(
    told.map(({ source, attribution }) => [source, attribution.replaceAll('\n', ' ')]),
  );
  print(table(['source', 'attribution'], [...attributions]));
}
