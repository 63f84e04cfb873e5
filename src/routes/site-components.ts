import { Type as t } from '@sinclair/typebox';
import { notRefused } from '../domain/refusal.ts';
import { nameHash } from '../domain/vulnerability/ecosystem.ts';
import { changesOfComponents } from '../domain/vulnerability/finding-changes.ts';
import { type ComponentOutcome, countFound, lookUpAll } from '../domain/vulnerability/findings.ts';
import {
  distinct,
  type Inventory,
  NO_INVENTORY,
  type ReportedComponent,
  renewInventory,
} from '../domain/vulnerability/inventory.ts';
import { KIB } from '../http/context.ts';
import { nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { count, oneOf } from '../http/fields.ts';
import { bearerRoute, created, jsonBody } from '../http/route/index.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import type { MirrorInUse } from '../tasks/mirror.ts';
import {
  ANY_COMPONENT,
  COMPONENTS_MAX,
  ComponentStatus,
  ComponentsBody,
  ComponentVersion,
  checkComponents,
  componentsBody,
  EcosystemName,
  NameHash,
  refusePrivateComponents,
  reportedComponents,
  wellFormed,
} from './fields/component-fields.ts';
import { requireMirror } from './fields/mirror-required.ts';
import { findSite, SITE_ID } from './fields/site-path.ts';
import type { Parts } from './parts.ts';
import { OutcomeCounts, OutcomeName, outcomeCounts } from './vulnerability-match.ts';

const SiteComponents = componentsBody('SiteComponents');

const Received = typed('SiteComponentsReceived', {
  persistence: oneOf(
    ['stored', 'replaced', 'forgotten', 'unchanged'] as const,
    'outcome: stored as first list, stored in place of the previous list, deleted by an empty list, or unchanged because all components were malformed',
  ),
  received_at: timestamp('time of receipt'),
  component_count: count('number of distinct components stored'),
  finding_count: count('number of known vulnerabilities in them'),
  counts: OutcomeCounts,
});
const NO_OUTCOMES = outcomeCounts([]);
const RECEIVED = {
  persistence: 'stored',
  received_at: '2026-11-22T09:30:00.000Z',
  component_count: 2,
  finding_count: 1,
  counts: { ...NO_OUTCOMES, vulnerable: 1, no_known: 1 },
};

const Kept = typed('SiteComponentList', {
  inventory_at: nullable(timestamp('time of the list; null if none is stored')),
  components: t.Array(
    typed('KeptComponent', {
      ecosystem: EcosystemName,
      name: nullable(t.String({ description: 'name; null if sent as a hash' })),
      name_hash: NameHash,
      version: ComponentVersion,
      status: ComponentStatus,
      since: timestamp(
        'time when this version was first reported; absences of less than 30 days are ignored',
      ),
      outcome: nullable(
        OutcomeName,
        'outcome of POST /vulnerabilities/match with the data imported now; null if none is imported',
      ),
    }),
    { description: 'components as sent' },
  ),
});
const KEPT = {
  inventory_at: RECEIVED.received_at,
  components: [
    {
      ecosystem: 'wordpress-plugin',
      name: 'example-gallery',
      name_hash: nameHash('wordpress-plugin', 'example-gallery'),
      version: '1.2.3',
      status: 'active',
      since: RECEIVED.received_at,
      outcome: 'vulnerable',
    },
  ],
};

const replacing = bearerRoute({
  at: 'POST /sites/:siteId/components',
  plan: 'starter',
  body: jsonBody({
    schema: ComponentsBody,
    shown: SiteComponents,
    capBytes: 64 * KIB,
    refusedAs: 'INVALID_COMPONENTS',
    anyTextIn: ANY_COMPONENT,
    inspect: refusePrivateComponents,
    check: checkComponents,
  }),
  operationId: 'replaceSiteComponents',
  summary: 'Report the components of a site',
  description:
    `Send the complete list, at most ${COMPONENTS_MAX} components. It replaces the previous one; an empty list deletes it. ` +
    'Malformed components count as `unsupported` and are not stored; a list of only malformed ones changes nothing. ' +
    'The hash of a component that is no longer listed is stored for 30 days, so that its age continues if it returns. ' +
    'GET /sites/{siteId}/vulnerabilities then returns known vulnerabilities, including those from later imports. ' +
    'The list has no other use, and is retained as long as events. Requires the plan starter or higher.',
  parameters: [SITE_ID],
  tag: TAGS.vulnerabilities,
  answer: show(Received, RECEIVED, 'Returns the outcome. The list replaces the previous one.'),
  codes: ['COMPONENTS_PRIVACY_REJECTED', 'SITE_NOT_FOUND', 'MIRROR_EMPTY', 'STORE_UNAVAILABLE'],
  handle: created(
    ({ tenantData, mirror, writer, clock }: Parts<'clock' | 'mirror' | 'tenantData' | 'writer'>) => {
      /** Returns the vulnerabilities that a new list adds or removes; undefined if no notification target needs them. */
      const changesOf = async (
        licenseId: number,
        before: Inventory,
        after: Inventory,
        outcomes: readonly ComponentOutcome[],
        { data, assertions }: Pick<MirrorInUse, 'data' | 'assertions'>,
      ) =>
        (await tenantData.isFindingsWanted(licenseId))
          ? changesOfComponents(data, assertions, before.components, after.components, outcomes)
          : undefined;

      const renewed = async (
        licenseId: number,
        siteId: number,
        reported: readonly ReportedComponent[],
        nowMs: number,
      ) => {
        if (reported.length === 0)
          return { inventory: NO_INVENTORY, outcomes: [] as ComponentOutcome[], changes: undefined };
        const inUse = requireMirror(await mirror.current());
        const { data } = inUse;
        const outcomes = await lookUpAll(data, reported);
        const before = (await tenantData.inventories.ofSite(licenseId, siteId)) ?? NO_INVENTORY;
        const inventory = await renewInventory(reported, outcomes, before, data, nowMs);
        const changes = await changesOf(licenseId, before, inventory, outcomes, inUse);
        return { inventory, outcomes, changes };
      };

      /** Returns the answer to a list of only malformed components, which changes nothing. */
      const unchanged = async (licenseId: number, siteId: number) => {
        const components = (await tenantData.inventories.ofSite(licenseId, siteId))?.components ?? [];
        const outcomes = await mirror.ask(({ data }) => lookUpAll(data, components));
        return {
          persistence: 'unchanged' as const,
          component_count: components.length,
          finding_count: countFound(outcomes ?? []),
        };
      };

      return async ({ licenseId, params: { siteId: publicId }, body: { components: sent } }) => {
        const components = wellFormed(reportedComponents(sent));
        const reported = distinct(components);
        const { id: siteId } = await findSite(tenantData, licenseId, publicId);
        const receivedAt = clock.now();
        if (reported.length === 0 && sent.length > 0) {
          return {
            ...(await unchanged(licenseId, siteId)),
            received_at: iso(receivedAt),
            counts: outcomeCounts([], sent.length),
          };
        }
        const { inventory, outcomes, changes } = await renewed(licenseId, siteId, reported, receivedAt);
        const persistence = notRefused(
          await writer.write('replaceInventory', {
            licenseId,
            siteId,
            ...inventory,
            changes,
            receivedAt,
          }),
        );
        return {
          persistence,
          received_at: iso(receivedAt),
          component_count: inventory.components.length,
          finding_count: countFound(outcomes),
          counts: outcomeCounts(outcomes, sent.length - components.length),
        };
      };
    },
  ),
});

const listing = bearerRoute({
  at: 'GET /sites/:siteId/components',
  plan: 'starter',
  operationId: 'listSiteComponents',
  summary: 'List the components of a site',
  description:
    'Components as sent, with the outcome of each; GET /sites/{siteId}/vulnerabilities returns the findings. Requires the plan starter or higher.',
  parameters: [SITE_ID],
  tag: TAGS.vulnerabilities,
  answer: show(Kept, KEPT, 'Returns the stored components.'),
  codes: ['SITE_NOT_FOUND'],
  handle: async (
    { licenseId, params: { siteId: publicId } },
    { tenantData, mirror }: Parts<'mirror' | 'tenantData'>,
  ) => {
    const { id: siteId } = await findSite(tenantData, licenseId, publicId);
    const inventory = await tenantData.inventories.ofSite(licenseId, siteId);
    const components = inventory?.components ?? [];
    const outcomes = await mirror.ask(({ data }) => lookUpAll(data, components));
    return {
      inventory_at: isoOrNull(inventory?.receivedAt ?? null),
      components: components.map(({ ecosystem, name, nameHash, version, status, since }, at) => ({
        ecosystem,
        name,
        name_hash: nameHash,
        version,
        status,
        since: iso(since),
        outcome: outcomes?.[at]?.outcome ?? null,
      })),
    };
  },
});

/** Operations on the component list of a site, which is always replaced as a whole. */
export const siteComponents = [listing, replacing];
