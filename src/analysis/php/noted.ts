import type { Signal } from '../signal.ts';
import type { Value } from './value.ts';
import type { Walk } from './walk.ts';
import type { ObjectKind } from './windows-objects.ts';

/** What single calls and reads tell that is judged together with others, later or at the end of the file. */
export interface Noted {
  /** Where an upload is stored under the caller's name, without any check. */
  uploadAt?: number;
  /** Where a mail of the program's own text goes to whom the request names. */
  mailsCallerAt?: number;
  /** Whether a mail goes to somebody whom the program knows. */
  mailsOwner: boolean;
  /** Where the request names who gets a message of a mail library. */
  addressedAt?: number;
  /** Reads of all that a caller sends, where a form's own program reads its fields. */
  wholeReads: number;
  /** Functions that read the number or code of a card. */
  readonly cardScopes: Set<string>;
  /** Where card data are handed to a connection that is opened later. */
  cardSentAt?: number;
  /** Whether folders are searched for files. */
  findsFiles: boolean;
  /** Whether code is put before or behind what a file has. */
  injects: boolean;
  /** Functions that read the file which holds the passwords of a site. */
  readonly settingsScopes: Set<string>;
  /** Where what a file holds is shown or mailed. */
  showsFileAt?: number;
  /** Whether the file deletes itself as soon as it is called. */
  deletesItself: boolean;
  /** Whether it sets the time of a file to one that has passed. */
  setsBack: boolean;
  /** Addresses that were looked for in the texts of the file. */
  lookedFor: number;
  /** Origins of what was printed since output was last held back. */
  printed: number;
  /** What the Windows objects of the file can do. */
  readonly objects: Set<ObjectKind>;
  /** The file that a Windows object has opened to write into it. */
  objectFile?: Value;
  /** Whether templates may call any function of PHP. */
  templatesCall: boolean;
  /** Whether a template or what it is filled with comes from the request. */
  templateAt?: number;
  /** Whether the file names what tells a page its own host; undefined until that is asked. */
  namesOwnHost?: boolean;
  /** Where an account is made with a password that the file or the caller knows, and nobody is asked who that is. */
  knownPasswordAt?: number;
  /** Where what a file holds is encrypted. */
  encryptsAt?: number;
  /** Where a PHP file is written with what was kept elsewhere. */
  writesPhpAt?: number;
  /** What documents of the file are read from. */
  documents: number;
  /** Variables with a database, by whether the caller names which. */
  readonly databases: Map<string, boolean>;
  /** Where an archive is opened that was uploaded. */
  archiveAt?: number;
  /** Where the account of a shop gets a password that the file or the caller knows. */
  shopUserAt?: number;
  /** Whether the first account of the site is looked up. */
  looksUpFirst: boolean;
  /** Variables with what was kept in the database of the site or sent by another host, by what it is to run them. */
  readonly kept: Map<string, Signal>;
  /** Variables with the path of a PHP file, or such a file opened. */
  readonly phpPaths: Set<string>;
  /** Variables with a program that is running, by whether it is a shell. */
  readonly programs: Map<string, boolean>;
  /** Schemes of addresses that the file itself reads. */
  readonly schemes: Set<string>;
}

export const nothingNoted = (): Noted => ({
  mailsOwner: false,
  wholeReads: 0,
  cardScopes: new Set(),
  findsFiles: false,
  injects: false,
  settingsScopes: new Set(),
  deletesItself: false,
  setsBack: false,
  lookedFor: 0,
  printed: 0,
  objects: new Set(),
  templatesCall: false,
  databases: new Map(),
  documents: 0,
  looksUpFirst: false,
  kept: new Map(),
  phpPaths: new Set(),
  programs: new Map(),
  schemes: new Set(),
});

const LOOKS = new Set(['isset', 'empty', 'count', 'sizeof', 'is_array', 'if', 'elseif', 'array_key_exists']);

/** Whether a superglobal that was just read is taken whole: no item of it, and no look whether there is anything. */
export const takesWhole = (walk: Walk): boolean =>
  !walk.isOperator('[') && !(walk.peek(-2)?.text === '(' && LOOKS.has(walk.peek(-3)?.text ?? ''));
