/** What a file does in one place, which says something only together with others: by what it does to, or with. */
export type Fact =
  /** It does something outside of functions, reads what the caller sends, all of it at once, a secret in it, or who the visitor is. */
  | 'actsOutside'
  | 'readsRequest'
  | 'readsWhole'
  | 'readsSecret'
  | 'readsVisitor'
  /** It answers with data in place of a page, or with what another host sends. */
  | 'answersData'
  | 'showsRemote'
  /** It looks at the name or kind of an upload. */
  | 'checksUploads'
  /** To itself and its traces. */
  | 'deletesItself'
  | 'setsTimesBack'
  /** To files and folders; `restoresSuspected`: renames what a scanner has put out of use. */
  | 'restoresSuspected'
  | 'searchesFolders'
  | 'searchesPhp'
  | 'picksFolders'
  | 'writesPage'
  | 'injectsCode'
  | 'showsFile'
  | 'storesUpload'
  /** The sum of a download is worked out, to compare it. */
  | 'checksSum'
  /** It starts a program that goes on by itself, or a command that is not left to callers of a function. */
  | 'startsProgram'
  | 'runsOwnCommand'
  | 'runsCode'
  /** With what a form brings: all fields, a card, something that may enclose a secret. */
  | 'forwardsForm'
  | 'handsCardOn'
  | 'mayEncloseSecret'
  /** With mail: to an address from the request. */
  | 'addressesCaller'
  /** With accounts: makes one, with a password that the file or the caller knows. */
  | 'makesAccount'
  | 'makesKnownAccount'
  | 'setsShopPassword'
  | 'looksUpFirstUser'
  /** With pages of a site: adds to them, prints what is another host's, for some visitors alone. */
  | 'hooksPages'
  | 'printsForeign'
  | 'sparesAdministrators'
  | 'asksForRobots'
  | 'sendsAway';

/** Facts of a file, each with where it was first seen. */
export type Facts = Map<Fact, number>;

/** What one function does: it reads the number of a card, or the file with the passwords of a site. */
export type LocalFact = 'readsCard' | 'readsSettings';
