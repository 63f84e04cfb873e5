// Texts of the pages of customers, in English.

export const WORDS = {
  report: 'Monthly report',
  title: 'Customers',
  about: 'Licenses with one customer name, mailbox or Stripe customer are one customer.',
  none: 'No customers. Issue a license with a customer name or an e-mail address.',
  columns: ['Customer', 'E-mail', 'Licenses', 'Registered sites', 'State'],
  moreLicenses: 'and more',
  licenses: 'Licenses',
  licenseColumns: ['License', 'State', 'Plan', 'Sites', 'Ends'],
  never: 'never',
  moreThan: (shown: number) => `Only the first ${shown} licenses are shown.`,
  alerts: 'Open alerts',
  noAlerts: 'No open alerts of high or critical severity.',
  alertColumns: ['Site', 'Alert', 'Severity', 'Last'],
  activity: 'Activity',
  contact: 'Contact',
  email: 'E-mail',
  noEmail: 'No e-mail address. Add one on a license with Edit customer.',
  furtherAlerts: 'further ones',
} as const;
