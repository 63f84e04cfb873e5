/** A pattern that takes more than linear time, of which no caller gives it more than a few characters. */
export interface Exception {
  readonly file: string;
  /** What it is declared as. */
  readonly name: string;
  readonly charsMax: number;
  readonly why: string;
}

/** What only an operator writes, or the service itself. */
export const OUT_OF_REACH = /^src\/(?:cli|operator|release|settings|storage\/engine)\//;

/** Each is tried with texts as long as its caller lets through, and belongs here only while it needs to. */
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
