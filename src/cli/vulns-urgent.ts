import { type Command, Option } from 'commander';
import { mirrorState } from '../domain/vulnerability/mirror-age.ts';
import { iso } from '../lib/clock.ts';
import { type UrgentFinding, type UrgentFindings, urgentFindings } from '../operator/urgent-findings.ts';
import { componentWords, remedyWords } from '../operator/vulnerability-words.ts';
import type { Config } from '../settings/config.ts';
import { readAssertions } from '../storage/vulnerabilities/assertions.ts';
import { CommandRefused, print, printJson, table, tell } from '../terminal/output.ts';
import { identitiesOf, withStore } from '../terminal/store.ts';
import { withCurrentSnapshot } from './vulns-snapshot.ts';

const DEADLINES_DAYS = ['3', '14', '60'] as const;

/** `vulns urgent`: which customers have to update today. */
export function addUrgentCommand(vulns: Command, settings: () => Config): void {
  vulns
    .command('urgent')
    .description('list the most urgent fixes on the sites of all customers, earliest due date first')
    .addOption(
      new Option('--within <days>', 'only fixes due within this many days')
        .choices(DEADLINES_DAYS)
        .default('3'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt vulns urgent --within 14')
    .action(({ within, json }: { within: string; json?: true }) =>
      withStore(settings(), async ({ db }) => {
        const { dataDir, mirrorStaleHours } = settings();
        const now = Date.now();
        const assertions = await readAssertions(db)();
        const identities = identitiesOf(settings());
        const found = await withCurrentSnapshot(db, dataDir, (data) => {
          const state = mirrorState(data?.sources ?? [], mirrorStaleHours, now);
          if (data === null || state === 'empty')
            throw new CommandRefused(
              'no feed of components has been imported yet. See redoubt vulns import --help',
            );
          if (state === 'stale')
            tell('the imported feeds are stale, so fixes may be missing. See redoubt vulns status');
          return urgentFindings(db, identities, { data, assertions }, Number(within), now);
        });
        if (json) printJson(described(found));
        else show(found);
        tellLeftOut(found);
      }),
    );
}

const described = ({ findings, sitesWithoutComponents, revokedSites }: UrgentFindings) => ({
  findings: findings.map(({ licenseState, fixedVersions, dueAt, ...finding }) => ({
    ...finding,
    license_state: licenseState,
    fixed_versions: fixedVersions,
    due_at: iso(dueAt),
  })),
  sites_without_components: sitesWithoutComponents,
  sites_of_revoked_licenses: revokedSites,
});

const COLUMNS = ['due', 'state', 'risk', 'license', 'customer', 'site', 'component', 'what to do', 'reason'];

const NOTHING = 'No known fixes are due on sites that report components.';

function show({ findings }: UrgentFindings): void {
  const rows = findings.map((one) => [
    iso(one.dueAt),
    one.overdue ? 'overdue' : 'open',
    one.risk,
    licenseWords(one),
    one.customer,
    one.domain,
    componentWords(one.ecosystem, one.component, one.version),
    `${one.forensics ? 'look for signs of compromise, then ' : ''}${remedyWords(one.fixedVersions)}`,
    one.vulnerability,
  ]);
  print(rows.length === 0 ? NOTHING : table(COLUMNS, rows));
}

const licenseWords = ({ license, licenseState }: UrgentFinding): string =>
  licenseState === 'active' || licenseState === 'trial' ? license : `${license} (${licenseState})`;

function tellLeftOut({ sitesWithoutComponents, revokedSites }: UrgentFindings): void {
  if (sitesWithoutComponents > 0)
    tell(
      `the list is incomplete: ${sites(sitesWithoutComponents)} seen in the last 24 hours reported no components. See "Your first plugin" in the handbook`,
    );
  if (revokedSites > 0) tell(`excluded: ${sites(revokedSites)} of revoked licenses`);
}

const sites = (count: number): string => (count === 1 ? '1 site' : `${count} sites`);
