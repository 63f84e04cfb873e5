/** A pattern that takes more than linear time, with callers that limit its input to a few characters. */
export interface Exception {
  readonly file: string;
  /** The name of its declaration. */
  readonly name: string;
  readonly charsMax: number;
  readonly why: string;
}

/** Input that only an operator or the service itself writes. */
export const OUT_OF_REACH = /^src\/(?:cli|operator|release|settings|storage\/engine)\//;

/** Each is tested with the longest input of its caller, and is listed only while it needs to be. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    file: 'src/analysis/request/searches.ts',
    name: 'INJECTING',
    charsMax: 160,
    why: 'asksAbout asks nothing of a text over QUESTION_CHARS_MAX',
  },
  {
    file: 'src/analysis/request/ordinary.ts',
    name: 'isCutOff',
    charsMax: 8,
    why: 'it reads the last eight characters',
  },
  {
    file: 'src/analysis/php/readability.ts',
    name: 'WORDS',
    charsMax: 400,
    why: 'isPacked reads the first 400 characters',
  },
  {
    file: 'src/domain/vulnerability/exposure.ts',
    name: 'VERSION_AT_END',
    charsMax: 128,
    why: 'names of components are of COMPONENT_NAME',
  },
];
