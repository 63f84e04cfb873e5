import { areCertificates } from '../lib/certificates.ts';
import { fileWords } from '../lib/file-trouble.ts';
import { readFile } from '../lib/read-file.ts';
import { WrongUsage } from './output.ts';

/** A reader of an option that names a file of certificates in PEM, of at most so many characters. */
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
