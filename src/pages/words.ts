// What pages of every kind say, in English.

export const WORDS = {
  skip: 'Skip to content',
  nav: 'Pages',
  menu: 'Menu',
  copy: 'Copy',
  /** A value, and the words of its button. */
  zones: ['local=Times: local', 'utc=Times: UTC'],
  themes: ['system=Theme: system', 'light=Theme: light', 'dark=Theme: dark'],
  signOut: 'Sign out',
  more: 'Next page',
  none: 'any',
  filter: 'Apply',
  csv: 'Download as CSV',
  tooManyDownloads: 'Ten downloads are running. Wait until one of them has ended, then try again.',
  tooManyOwnDownloads: 'Two of your downloads are running. Wait until one of them has ended, then try again.',
  back: 'Back',
  failed: 'Something went wrong',
  table: 'Show as table',
} as const;
