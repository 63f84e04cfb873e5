/** @jsxImportSource hono/jsx */
// Stroke icons on a 24-pixel grid, drawn for Redoubt. They are hidden from screen readers, because each is next to a label.

const PATHS = {
  overview: 'M3 12l9-8 9 8M5 10v10h14V10',
  customers:
    'M5.5 8a3.5 3.5 0 107 0a3.5 3.5 0 10-7 0M2.5 20c.6-4 3-6 6.5-6s5.9 2 6.5 6M16 5a3.5 3.5 0 010 6.6M18 14.5c2 .8 3.1 2.6 3.5 5.5',
  licenses: 'M5 5h14a2 2 0 012 2v10a2 2 0 01-2 2H5a2 2 0 01-2-2V7a2 2 0 012-2M7 10h6M7 14h4M17 12v3',
  sites: 'M3 12a9 9 0 1018 0a9 9 0 10-18 0h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  alerts: 'M12 3l9 16H3zM12 10v4M12 16.5v.5',
  events: 'M3 12h4l3-7 4 14 3-7h4',
  vulnerabilities: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM12 8v5M12 15.5v.5',
  feed: 'M4 11a9 9 0 019 9M4 5a15 15 0 0115 15M4 19a1 1 0 102 0a1 1 0 10-2 0',
  payments: 'M5 6h14a2 2 0 012 2v8a2 2 0 01-2 2H5a2 2 0 01-2-2V8a2 2 0 012-2M3 10h18',
  backups: 'M4 7c0-2 16-2 16 0v10c0 2-16 2-16 0zM4 12c0 2 16 2 16 0M4 7c0 2 16 2 16 0',
  audit: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7M9 8h3',
  operators: 'M8.5 8a3.5 3.5 0 107 0a3.5 3.5 0 10-7 0M5 20c.7-4 3.2-6 7-6s6.3 2 7 6',
  tokens: 'M4 14a4 4 0 108 0a4 4 0 10-8 0M11 11l9-8M16 7l3 3',
  notifications: 'M6 17V11a6 6 0 0112 0v6l2 2H4zM10 21h4',
  settings: 'M4 6h10M18 6h2M4 12h2M10 12h10M4 18h8M16 18h4M14 4v4M6 10v4M12 16v4',
  scans: 'M3 11a8 8 0 1016 0a8 8 0 10-16 0M17 17l4 4',
  reports: 'M4 20V4M4 20h16M8 16v-5M12 16V8M16 16v-7',
  check: 'M6 3h9l4 4v14H6zM9 13l2 2 4-4',
  evidence: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  developers: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  menu: 'M4 7h16M4 12h16M4 17h16',
} as const;

export type IconName = keyof typeof PATHS;

export const ICON_NAMES = Object.keys(PATHS) as readonly IconName[];

/** The icons of a page as symbols, to which `Icon` refers. */
export const IconSheet = ({ of }: { readonly of: readonly IconName[] }) => (
  <svg class="sheet" aria-hidden="true">
    {of.map((name) => (
      <symbol id={`i-${name}`} viewBox="0 0 24 24">
        <path d={PATHS[name]} />
      </symbol>
    ))}
  </svg>
);

/** An icon that is in the page's `IconSheet`. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
);
