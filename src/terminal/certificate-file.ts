import { areCertificates } from '../lib/certificates.ts';
import { fileWords } from '../lib/file-trouble.ts';
import { readFile } from '../lib/read-file.ts';
import { WrongUsage } from './output.ts';

/** Returns the parser of an option that takes the path of a PEM file, and returns the content of the file. */
export const certificateFile =
  (option: string, charactersMax: number) =>
  (path: string): string => {
    const text = contentOf(option, path);
    if (text.length > charactersMax)
      throw new WrongUsage(`${option}: ${path} has more than ${charactersMax} characters`);
    if (!areCertificates(text)) throw new WrongUsage(`${option}: ${path} contains no certificates in PEM`);
    return text;
  };

function contentOf(option: string, path: string): string {
  try {
    return readFile(path);
  } catch (error) {
    throw new WrongUsage(`${option}: cannot read ${path}: ${fileWords(error as NodeJS.ErrnoException)}`);
  }
}
