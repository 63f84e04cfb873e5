import { counted } from '../../lib/counted.ts';

// Texts of the pages that issue and import licenses, in English.

export const WORDS = {
  count: 'Number of licenses',
  countAbout: 'Keys of several licenses are downloaded as CSV once, and stored nowhere.',
  countRule: (most: number) => `Number of licenses: must be from 1 to ${most.toLocaleString('en')}.`,
  import: {
    title: 'Import licenses',
    about:
      'CSV with a header line, or one JSON object per line. Columns, all optional: key, plan, domains, expires, note, customer, email, external_id. Keys from other systems stay valid.',
    rows: 'Licenses',
    file: 'Or choose a file',
    fileRefused: 'The file is too large. Import it with: redoubt license import.',
    plan: 'Plan of rows without one',
    preview: 'Preview',
    found: (count: number) => `${counted(count, 'license')} can be imported.`,
    keys: (count: number) =>
      count === 0
        ? 'All have their own keys.'
        : `${counted(count, 'key')} will be generated and downloaded as CSV once.`,
    refused: 'Refused lines',
    refusedAbout: (lines: string) => `Nothing is imported: ${lines}. Correct them and preview again.`,
    refusedColumns: ['Line', 'Reason'],
    confirm: (count: number) => `Import ${counted(count, 'license')}`,
    done: (range: string, count: number) => `${counted(count, 'license')} imported: ${range}.`,
  },
} as const;
