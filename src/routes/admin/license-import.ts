import { type Static, Type as t } from '@sinclair/typebox';
import { licenseName } from '../../domain/license/license-name.ts';
import { readLicenseRows } from '../../domain/license/license-rows.ts';
import type { LineRefusal, TableRow } from '../../domain/license/license-table.ts';
import { refuse } from '../../domain/refusal.ts';
import { DOMAIN_CHARACTERS_MAX, normalizeSiteDomain } from '../../domain/site/site-domain.ts';
import { bodySchema } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { nullable, show, typed } from '../../http/contract/answers.ts';
import { text } from '../../http/fields.ts';
import { jsonBody } from '../../http/route/index.ts';
import { trimInvisible } from '../../lib/trim-invisible.ts';
import { type Act, type RefusedAct, unchanged } from '../../operator/act.ts';
import { importLicenses } from '../../operator/import-licenses.ts';
import type { PlannedBatch } from '../../operator/issue-licenses.ts';
import type { Parts } from '../parts.ts';
import { ACT_CODES, TAGS } from './contract.ts';
import {
  type ActingParts,
  act,
  IDEMPOTENCY,
  noticesField,
  reasonField,
  replayedField,
} from './fields/act.ts';
import { LicenseId, PlanName } from './fields/license.ts';
import { tokenRoute } from './token-route.ts';

const LICENSES_MAX = 5_000;
const CAP_BYTES = 2_048 * KIB;
/** Limits the time of parsing, which blocks other requests. */
const DOMAINS_MAX = 5_000;
const REFUSALS_NAMED = 3;

const cell = (maxLength: number, description: string) =>
  t.Optional(nullable(text({ maxLength, description })));

/** Only the length is checked here. Malformed domains are refused with their row, so that a dry run can list them. */
const RowDomain = text({ minLength: 1, maxLength: DOMAIN_CHARACTERS_MAX, description: 'domain' });

const LicenseToImport = typed('LicenseToImport', {
  key: cell(
    128,
    'existing key from another system, 16 to 128 printable ASCII characters; by default, a key is generated',
  ),
  plan: t.Optional(nullable(PlanName, 'plan; null or absent: plan of the request')),
  domains: t.Optional(t.Array(RowDomain, { maxItems: 1_000, description: 'domains to register at once' })),
  expires: cell(40, 'expiry time, ISO 8601'),
  note: cell(500, 'note for operators'),
  customer: cell(200, 'customer name'),
  email: cell(254, 'e-mail address of the customer'),
  external_id: cell(128, 'ID in your own system'),
});

const LicenseImport = bodySchema(
  'LicenseImport',
  {
    licenses: t.Array(LicenseToImport, {
      minItems: 1,
      maxItems: LICENSES_MAX,
      description: 'licenses, each like a row of a file for redoubt license import',
    }),
    plan: t.Optional(nullable(PlanName, 'plan of licenses that name none')),
    dry_run: t.Optional(t.Boolean({ description: 'true: report what would be refused, and change nothing' })),
    ...reasonField,
  },
  {
    licenses: [{ key: 'ABCD-1234-EFGH-5678', domains: ['shop.example.com'], external_id: 'legacy-17' }],
    plan: 'starter',
    dry_run: true,
  },
);

const ImportedLicenses = typed('ImportedLicenses', {
  dry_run: t.Boolean({ description: 'whether this was a dry run' }),
  licenses: t.Integer({
    minimum: 0,
    description: 'number of licenses issued or, in a dry run, to be issued',
  }),
  license_ids: nullable(
    t.String({ description: 'range of the IDs issued, such as lic_1..lic_9' }),
    'range of the IDs issued, such as lic_1..lic_9; null if none were issued',
  ),
  keys: nullable(
    t.Array(
      typed('MadeKey', {
        license_id: LicenseId,
        row: t.Integer({ minimum: 1, description: 'position of the license in the request, starting at 1' }),
        key: t.String({ description: 'license key' }),
      }),
      { description: 'keys of licenses sent without one' },
    ),
    'generated keys, returned only once; null if nothing was issued or replayed is true',
  ),
  refusals: t.Array(
    typed('RefusedRow', {
      row: t.Integer({ minimum: 1, description: 'position of the license in the request, starting at 1' }),
      refused: t.String({ description: 'field and reason of the refusal' }),
    }),
    { description: 'refused licenses of a dry run' },
  ),
  ...noticesField,
  ...replayedField,
});

type Body = Static<typeof LicenseImport>;

const rowOf = ({ domains = [], ...cells }: Body['licenses'][number], at: number): TableRow => ({
  line: at + 1,
  cells: Object.fromEntries(
    Object.entries(cells).flatMap(([name, value]) => {
      const trimmed = trimInvisible(value ?? '');
      return trimmed === '' ? [] : [[name, trimmed]];
    }),
  ),
  domains,
});

/** Issues many licenses in one transaction, optionally with keys of another system. */
export const licenseImport = tokenRoute({
  at: 'POST /licenses/import',
  scope: 'licenses:write',
  body: jsonBody({ schema: LicenseImport, capBytes: CAP_BYTES }),
  operationId: 'importLicenses',
  summary: 'Import licenses, all or none',
  description:
    `Issues up to ${LICENSES_MAX} licenses with ${DOMAINS_MAX} domains in total, with existing or generated keys; send more in several requests. If one is refused, none ` +
    'is issued: `ACT_REFUSED` names the first rows, a dry run all of them. Existing keys keep working unchanged. Scope `licenses:write`.',
  parameters: [IDEMPOTENCY],
  tag: TAGS.licenses,
  answer: show(
    ImportedLicenses,
    {
      dry_run: true,
      licenses: 1,
      license_ids: null,
      keys: null,
      refusals: [],
      notices: [],
      replayed: false,
    },
    'Returns the issued licenses, or the result of the dry run.',
  ),
  codes: ACT_CODES,
  handle: async ({ request, set, caller, body }, parts: ActingParts & Parts<'config' | 'db' | 'offer'>) => {
    const domains = body.licenses.reduce((sum, license) => sum + (license.domains?.length ?? 0), 0);
    if (domains > DOMAINS_MAX)
      throw refuse(
        'INVALID_PAYLOAD',
        `licenses: have more than ${DOMAINS_MAX} domains in total; send several requests`,
      );
    const isKept = body.dry_run !== true;
    const asked = { request, set, caller, body };
    const { facts, notices, plan } = await act(parts, asked, (by) => planImport(parts, body, by), {
      isKept,
    });
    const made = plan && 'keys' in plan ? plan.keys : undefined;
    return {
      ...(facts as ReturnType<typeof factsOf>),
      keys:
        made?.map(({ licenseId, key, line = 0 }) => ({
          license_id: licenseName(licenseId),
          row: line,
          key,
        })) ?? null,
      notices: [...notices],
      replayed: plan === undefined,
    };
  },
});

async function planImport({ db, offer, config }: Parts<'config' | 'db' | 'offer'>, body: Body, by: Act) {
  const rows = readLicenseRows(
    { rows: body.licenses.map(rowOf), refusals: [] },
    {
      plan: body.plan ?? undefined,
      siteOf: (domain) => normalizeSiteDomain(domain, config.stagingDomains),
      developmentHosts: config.scanAllowPrivate,
    },
  );
  const outcome = await importLicenses(db, rows, offer, by);
  if (!('refused' in outcome)) {
    const notices = (outcome.notices ?? []).map(byRows);
    if (!body.dry_run) return { ...outcome, notices, facts: factsOf(outcome, body, []) };
    return { ...NOTHING, notices, facts: factsOf(undefined, body, []) };
  }
  if (!body.dry_run) return importRefused(outcome.refused, outcome.refusals);
  return { ...NOTHING, facts: factsOf(undefined, body, outcome.refusals) };
}

/** Rewrites messages about the lines of a file for the rows of a body. */
const byRows = (text: string): string => text.replaceAll(/\bline (?=\d)/g, 'row ');

const NOTHING = { ...unchanged('a dry run'), notices: [] };

const factsOf = (done: PlannedBatch | undefined, { licenses }: Body, refusals: readonly LineRefusal[]) => ({
  dry_run: done === undefined,
  licenses: refusals.length > 0 ? 0 : licenses.length,
  license_ids: done?.range ?? null,
  refusals: refusals.map(({ line, refused }) => ({ row: line, refused: byRows(refused) })),
});

function importRefused(why: string, refusals: readonly LineRefusal[]): RefusedAct {
  const named = refusals
    .slice(0, REFUSALS_NAMED)
    .map(({ line, refused }) => `row ${line}: ${byRows(refused)}`);
  const more = refusals.length > REFUSALS_NAMED ? '; dry_run lists all' : '';
  return { refused: `nothing was imported, ${why.replace('line', 'row')}: ${named.join('; ')}${more}` };
}
