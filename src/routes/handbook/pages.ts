import access from '../../../docs/access.md' with { type: 'text' };
import adminApi from '../../../docs/admin-api.md' with { type: 'text' };
import airGap from '../../../docs/air-gap.md' with { type: 'text' };
import analysis from '../../../docs/analysis.md' with { type: 'text' };
import backup from '../../../docs/backup.md' with { type: 'text' };
import clients from '../../../docs/clients.md' with { type: 'text' };
import consolePage from '../../../docs/console.md' with { type: 'text' };
import containers from '../../../docs/containers.md' with { type: 'text' };
import credentials from '../../../docs/credentials.md' with { type: 'text' };
import evidence from '../../../docs/evidence.md' with { type: 'text' };
import feed from '../../../docs/feed.md' with { type: 'text' };
import glossary from '../../../docs/glossary.md' with { type: 'text' };
import install from '../../../docs/install.md' with { type: 'text' };
import integrations from '../../../docs/integrations.md' with { type: 'text' };
import licenses from '../../../docs/licenses.md' with { type: 'text' };
import monitoring from '../../../docs/monitoring.md' with { type: 'text' };
import network from '../../../docs/network.md' with { type: 'text' };
import notifications from '../../../docs/notifications.md' with { type: 'text' };
import offlineLicenses from '../../../docs/offline-licenses.md' with { type: 'text' };
import operating from '../../../docs/operating.md' with { type: 'text' };
import payments from '../../../docs/payments.md' with { type: 'text' };
import portal from '../../../docs/portal.md' with { type: 'text' };
import postgresql from '../../../docs/postgresql.md' with { type: 'text' };
import index from '../../../docs/README.md' with { type: 'text' };
import releasing from '../../../docs/releasing.md' with { type: 'text' };
import scaling from '../../../docs/scaling.md' with { type: 'text' };
import scans from '../../../docs/scans.md' with { type: 'text' };
import settings from '../../../docs/settings.md' with { type: 'text' };
import signIn from '../../../docs/sign-in.md' with { type: 'text' };
import signals from '../../../docs/signals.md' with { type: 'text' };
import signalsCode from '../../../docs/signals-code.md' with { type: 'text' };
import signalsRequests from '../../../docs/signals-requests.md' with { type: 'text' };
import signalsTexts from '../../../docs/signals-texts.md' with { type: 'text' };
import speed from '../../../docs/speed.md' with { type: 'text' };
import tenants from '../../../docs/tenants.md' with { type: 'text' };
import troubleshooting from '../../../docs/troubleshooting.md' with { type: 'text' };
import trust from '../../../docs/trust.md' with { type: 'text' };
import upgrade from '../../../docs/upgrade.md' with { type: 'text' };
import vulnerabilities from '../../../docs/vulnerabilities.md' with { type: 'text' };
import wholeSites from '../../../docs/whole-sites.md' with { type: 'text' };
import type { PageName } from './addresses.ts';

/** The Markdown of all pages by file name, in reading order. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    README: index,
    operating,
    install,
    'air-gap': airGap,
    containers,
    network,
    settings,
    access,
    monitoring,
    integrations,
    notifications,
    backup,
    upgrade,
    releasing,
    postgresql,
    scaling,
    troubleshooting,
    licenses,
    console: consolePage,
    'sign-in': signIn,
    'admin-api': adminApi,
    payments,
    portal,
    tenants,
    clients,
    'offline-licenses': offlineLicenses,
    'whole-sites': wholeSites,
    feed,
    vulnerabilities,
    scans,
    analysis,
    signals,
    'signals-code': signalsCode,
    'signals-requests': signalsRequests,
    'signals-texts': signalsTexts,
    evidence,
    credentials,
    trust,
    speed,
    glossary,
  } satisfies Record<PageName, string>),
);
