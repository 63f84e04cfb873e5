/** Effects of a file that are suspicious only in combination, grouped by subject. */
export type Fact =
  /** Input: acts at top level, reads request data, reads all of it, reads a secret, reads headers of the visitor. */
  | 'actsOutside'
  | 'readsRequest'
  | 'readsWhole'
  | 'readsSecret'
  | 'readsVisitor'
  /** Output: data instead of a page, or remote content. */
  | 'answersData'
  | 'showsRemote'
  /** Checks the name or type of an upload. */
  | 'checksUploads'
  /** The file itself and its traces. */
  | 'deletesItself'
  | 'setsTimesBack'
  /** Files and folders; `restoresSuspected` renames files that a scanner disabled. */
  | 'restoresSuspected'
  | 'searchesFolders'
  | 'searchesPhp'
  | 'picksFolders'
  | 'writesPage'
  | 'injectsCode'
  | 'showsFile'
  | 'storesUpload'
  /** Computes a checksum of a download. */
  | 'checksSum'
  /** Starts a background program, or a command that does not come from a caller of a function. */
  | 'startsProgram'
  | 'runsOwnCommand'
  | 'runsCode'
  /** Form data: all fields, card data, or data that may include a secret. */
  | 'forwardsForm'
  | 'handsCardOn'
  | 'mayEncloseSecret'
  /** Mail to an address from the request. */
  | 'addressesCaller'
  /** Accounts: creates one, or one with a password known to the file or the caller. */
  | 'makesAccount'
  | 'makesKnownAccount'
  | 'setsShopPassword'
  | 'looksUpFirstUser'
  /** Pages of a site: adds content, prints foreign content, only for some visitors. */
  | 'hooksPages'
  | 'printsForeign'
  | 'sparesAdministrators'
  | 'asksForRobots'
  | 'sendsAway';

/** Facts of a file with the offset of their first occurrence. */
export type Facts = Map<Fact, number>;

/** Effects of one function: reads a card number, or the file with the site's passwords. */
export type LocalFact = 'readsCard' | 'readsSettings';
