// What pages of every kind say, in English.

export const WORDS = {
  skip: 'To the content',
  nav: 'Pages',
  signOut: 'Sign out',
  more: 'Next page',
  none: 'any',
  filter: 'Show',
  csv: 'Download as CSV',
  tooManyDownloads: 'Ten downloads are under way: wait until one of them is over, then try again.',
  tooManyOwnDownloads: 'Two of your downloads are under way: wait until one of them is over, then try again.',
  back: 'Back',
  failed: 'This did not work',
  table: 'As a table',
} as const;
