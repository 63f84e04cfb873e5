import { type Static, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { licenseName } from '../../domain/license/license-name.ts';
import { type LicenseRows, readLicenseRows } from '../../domain/license/license-rows.ts';
import type { LineRefusal, TableRow } from '../../domain/license/license-table.ts';
import { refuse } from '../../domain/refusal.ts';
import { DOMAIN_CHARACTERS_MAX, normalizeSiteDomain } from '../../domain/site/site-domain.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { bodySchema, readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { answers, BODY_CODES, nullable, show, success, typed } from '../../http/contract/answers.ts';
import { text } from '../../http/fields.ts';
import { checkBody } from '../../http/schema-check.ts';
import { trimInvisible } from '../../lib/trim-invisible.ts';
import { type Act, type RefusedAct, unchanged } from '../../operator/act.ts';
import { importLicenses } from '../../operator/import-licenses.ts';
import type { PlannedBatch } from '../../operator/issue-licenses.ts';
import { ACT_CODES, SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import {
  type AdminRequest,
  act,
  IDEMPOTENCY,
  noticesField,
  reasonField,
  replayedField,
} from './fields/act.ts';
import { LicenseId, PlanName } from './fields/license.ts';
import type { AdminParts } from './parts.ts';

const LICENSES_MAX = 5_000;
const CAP_BYTES = 2_048 * KIB;
/** They are read in one turn. */
const DOMAINS_MAX = 5_000;
const REFUSALS_NAMED = 3;

const cell = (maxLength: number, description: string) =>
  t.Optional(nullable(text({ maxLength, description }), `${description}; null, or left out, none`));

/** Judged with its row, which a dry run refuses by its number. */
const RowDomain = text({ minLength: 1, maxLength: DOMAIN_CHARACTERS_MAX, description: 'a domain' });

const LicenseToImport = typed('LicenseToImport', {
  key: cell(
    128,
    'a key that another system has made, of 16 to 128 printable ASCII characters; without it, one is made',
  ),
  plan: t.Optional(nullable(PlanName, 'null, or left out, that of the body')),
  domains: t.Optional(t.Array(RowDomain, { maxItems: 1_000, description: 'to be registered at once' })),
  expires: cell(40, 'when it ends, ISO 8601'),
  note: cell(500, 'a note for operators'),
  customer: cell(200, 'whose license it is'),
  email: cell(254, "the customer's mailbox"),
  external_id: cell(128, 'what another system calls it by'),
});

const LicenseImport = bodySchema(
  'LicenseImport',
  {
    licenses: t.Array(LicenseToImport, {
      minItems: 1,
      maxItems: LICENSES_MAX,
      description: 'each as a row of a file that redoubt license import takes',
    }),
    plan: t.Optional(nullable(PlanName, 'of licenses that name none')),
    dry_run: t.Optional(t.Boolean({ description: 'true says what would be refused, and changes nothing' })),
    ...reasonField,
  },
  {
    licenses: [{ key: 'ABCD-1234-EFGH-5678', domains: ['shop.example.com'], external_id: 'legacy-17' }],
    plan: 'starter',
    dry_run: true,
  },
);

const ImportedLicenses = typed('ImportedLicenses', {
  dry_run: t.Boolean({ description: 'whether nothing was changed' }),
  licenses: Type.Integer({ minimum: 0, description: 'how many were issued, or would be' }),
  license_ids: nullable(
    t.String({ description: 'lic_1..lic_9: all from the first to the last' }),
    'null where none was issued',
  ),
  keys: nullable(
    t.Array(
      typed('MadeKey', {
        license_id: LicenseId,
        row: Type.Integer({ minimum: 1, description: 'which of the licenses in the body it is, from 1 on' }),
        key: t.String({ description: 'its key' }),
      }),
      { description: 'of licenses that came without one' },
    ),
    'keys that were made, which are shown only now; null when nothing was issued, or replayed is true',
  ),
  refusals: t.Array(
    typed('RefusedRow', {
      row: Type.Integer({ minimum: 1, description: 'which of the licenses in the body it is, from 1 on' }),
      refused: t.String({ description: 'the field, and what is wrong with it' }),
    }),
    { description: 'of a dry run: what is in the way' },
  ),
  ...noticesField,
  ...replayedField,
});

type Body = Static<typeof LicenseImport>;

const rowOf = ({ domains = [], ...cells }: Body['licenses'][number], at: number): TableRow => ({
  line: at + 1,
  cells: Object.fromEntries(
    Object.entries(cells).flatMap(([name, value]) => {
      const told = trimInvisible(value ?? '');
      return told === '' ? [] : [[name, told]];
    }),
  ),
  domains,
});

/** Issues many licenses at once, also with keys of another system: all or none. */
export const licenseImport = (parts: AdminParts) => {
  const { db, offer, config } = parts;

  const rowsOf = ({ licenses, plan }: Body): LicenseRows =>
    readLicenseRows(
      { rows: licenses.map(rowOf), refusals: [] },
      {
        plan: plan ?? undefined,
        siteOf: (domain) => normalizeSiteDomain(domain, config.stagingDomains),
        developmentHosts: config.scanAllowPrivate,
      },
    );

  const plan = async (body: Body, by: Act) => {
    const outcome = await importLicenses(db, rowsOf(body), offer, by);
    if (!('refused' in outcome)) {
      const notices = (outcome.notices ?? []).map(byRows);
      if (!body.dry_run) return { ...outcome, notices, facts: factsOf(outcome, body, []) };
      return { ...NOTHING, notices, facts: factsOf(undefined, body, []) };
    }
    if (!body.dry_run) return importRefused(outcome.refused, outcome.refusals);
    return { ...NOTHING, facts: factsOf(undefined, body, outcome.refusals) };
  };

  const answer = async (request: AdminRequest) => {
    const body = request.body as Body;
    const domains = body.licenses.reduce((sum, license) => sum + (license.domains?.length ?? 0), 0);
    if (domains > DOMAINS_MAX)
      throw refuse(
        'INVALID_PAYLOAD',
        `licenses: have more than ${DOMAINS_MAX} domains in all; send them in parts`,
      );
    const {
      facts,
      notices,
      plan: planned,
    } = await act(parts, request, (by) => plan(body, by), {
      isKept: body.dry_run !== true,
    });
    const made = planned && 'keys' in planned ? planned.keys : undefined;
    return success({
      ...(facts as ReturnType<typeof factsOf>),
      keys:
        made?.map(({ licenseId, key, line = 0 }) => ({
          license_id: licenseName(licenseId),
          row: line,
          key,
        })) ?? null,
      notices: [...notices],
      replayed: planned === undefined,
    });
  };

  return new Elysia()
    .derive(parts.authenticate)
    .derive(requireScope('licenses:write'))
    .onTransform(readJson({ capBytes: CAP_BYTES }))
    .onTransform(checkBody(LicenseImport))
    .post(
      '/licenses/import',
      async ({ request, set, caller, body }) => answer({ request, set, caller, body }),
      {
        body: LicenseImport,
        response: answers(
          show(
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
            'What was issued, or what a dry run has found.',
          ),
          ...TOKEN_CODES,
          ...BODY_CODES,
          ...ACT_CODES,
        ),
        detail: {
          operationId: 'importLicenses',
          summary: 'Issue many licenses, all or none',
          description:
            `Up to ${LICENSES_MAX} with ${DOMAINS_MAX} domains in all, with keys that another system has made or with new ones; more are sent in parts. When one is refused, none ` +
            'is issued: `ACT_REFUSED` names the first rows, a dry run all. Keys of another system go on working as they are. Scope `licenses:write`.',
          parameters: [IDEMPOTENCY],
          tags: [TAGS.licenses],
          security: SECURITY,
        },
      },
    );
};

/** What is said of a file's lines, said of the rows of a body. */
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
  const more = refusals.length > REFUSALS_NAMED ? '; dry_run tells all' : '';
  return { refused: `nothing was imported, ${why.replace('line', 'row')}: ${named.join('; ')}${more}` };
}
