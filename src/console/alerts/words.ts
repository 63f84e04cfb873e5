import { counted } from '../../lib/counted.ts';

// Texts of the page of alerts, in English.

export const WORDS = {
  title: 'Alerts',
  about:
    'Open alerts on the sites of all licenses. An alert closes when its site reports it resolved, or after seven days without new events.',
  events: 'Events of all sites',
  severity: 'Severity',
  state: 'Acknowledged',
  states: { no: 'no', yes: 'yes' },
  type: 'Alert',
  typeHint: 'malware',
  customer: 'Customer',
  age: 'Last event',
  ages: { hour: 'over 1 hour ago', day: 'over 1 day ago', days: 'over 3 days ago' },
  columns: {
    select: 'Select',
    site: 'Site',
    license: 'License',
    customer: 'Customer',
    what: 'Alert',
    severity: 'Severity',
    last: 'Last event',
    acknowledgement: 'Acknowledged',
  },
  evidence: (alert: string) => `Events of ${alert}`,
  further: 'more, no longer stored one by one',
  none: 'No open alerts. Sites report attacks through POST /telemetry.',
  noneFiltered: 'No open alerts match these filters.',
  noteHint: 'Note',
  notNamed: 'There is no such alert.',
  select: (alert: string) => `Select ${alert}`,
  selectAll: 'Select all on this page',
  forSelected: 'Selected alerts',
  acknowledgeSelected: 'Acknowledge selected',
  noneSelected: 'Select at least one alert.',
  doneSelected: (count: number) => `${counted(count, 'alert')} acknowledged until the sites report more.`,
} as const;
