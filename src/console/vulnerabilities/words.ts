import { parseLicenseName } from '../../domain/license/license-name.ts';
import { counted } from '../../lib/counted.ts';
import type { CustomerList } from '../../operator/customers.ts';

// Texts of the pages about vulnerabilities, in English.

export const WORDS = {
  title: 'Vulnerabilities',
  states: {
    empty: 'No vulnerability data',
    current: 'The vulnerability data is current',
    stale: 'The vulnerability data is out of date',
  },
  damaged: 'The vulnerability data cannot be read',
  import: 'Import the feeds: redoubt vulns import',
  imported: 'imported',
  sources: 'Sources',
  sourceColumns: { source: 'Source', records: 'Records', date: 'Date', age: 'Age', state: 'State' },
  stale: 'out of date',
  current: 'current',
  overdue: 'Overdue, longest first',
  noneOverdue: 'Nothing is overdue.',
  overdueColumns: {
    due: 'Due since',
    component: 'Component',
    because: 'Vulnerability',
    remedy: 'Fix',
    sites: 'Sites',
    licenses: 'Licenses',
    first: 'First',
  },
  exploited: 'exploited',
  forensics: 'check for signs of compromise first',
  affected: 'Most affected components',
  affectedAbout: 'Ranked by sites with a vulnerability that has a deadline.',
  noneAffected: 'No reported component has such a vulnerability.',
  affectedColumns: {
    component: 'Component',
    sites: 'Sites',
    licenses: 'Licenses',
    vulnerabilities: 'Vulnerabilities',
    risk: 'Risk',
    fixed: 'Fixed in',
    due: 'Due',
  },
  noFix: 'no fix yet',
  counted: 'Counted',
  countFailed:
    'The sites could not be counted. The log has the reason; the next attempt follows in a minute.',
  counting: 'The sites are being counted. Reload this page in a moment.',
  left: (count: number) =>
    count === 1
      ? '1 site that reported today has sent no components.'
      : `${count} sites that reported today have sent no components.`,
  more: (count: number) => `${count} more.`,
  partly: 'Not all components are listed here. For all, run: redoubt vulns urgent',
  dueSoon: 'Due soon',
  needFixes: (owners: string, days: number) => `${owners} need fixes within ${days} days, or are overdue`,
  noneDueSoon: (days: number) => `Nothing is due within ${days} days`,
  sitesOf: (sites: number, owners: string) => `${counted(sites, 'site')} of ${owners}`,
  customers: (count: number) => counted(count, 'customer'),
  licenses: (count: number) => counted(count, 'license'),
  component: {
    about: 'Sites with a vulnerability of this component that has a deadline, due first.',
    columns: {
      customer: 'Customer',
      license: 'License',
      site: 'Site',
      version: 'Version',
      vulnerability: 'Vulnerability',
      due: 'Due',
      remedy: 'Fix',
    },
    none: 'No site has a vulnerability of this component with a deadline.',
    noData: 'No vulnerability data is imported: redoubt vulns import.',
    shown: (shown: number, all: number) =>
      `The first ${shown.toLocaleString('en')} of ${all.toLocaleString('en')} are shown. The CSV file has all.`,
    notNamed: 'Name a component: choose one on the page Vulnerabilities.',
    mail: 'Mail to these customers',
    /** Without `fixed`, the mail asks to remove the component; without `due`, to act now. */
    mailText: (component: string, fixed: string | undefined, due: string | undefined) =>
      `Subject: Security update for ${component}

Hello,

your site runs the ${component} in a version with a known vulnerability.
Please ${fixed === undefined ? 'remove it or restrict access to it' : `update it to ${fixed} or later`} ${
        due === undefined ? 'now' : `by ${due}`
      }.

If you have done this already, no action is needed: your site reports it with its next contact.`,
    recipients: 'Addresses',
    noRecipients: 'No license of these sites has an e-mail address.',
  },
} as const;

/** Returns the number of customers of the licenses; for operators who may not see customers, the number of licenses. */
export function ownersOf(licenses: ReadonlySet<string>, customers: CustomerList | undefined): string {
  if (customers === undefined) return WORDS.licenses(licenses.size);
  const owners = [...licenses].map(
    (license) => customers.byLicense.get(parseLicenseName(license) ?? 0) ?? license,
  );
  return WORDS.customers(new Set(owners).size);
}
