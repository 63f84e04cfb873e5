import { refuse } from '../domain/refusal.ts';
import { isWholeText } from '../lib/whole-text.ts';
import { bodyBytesOf } from './body.ts';
import { type HookContext, KIB } from './context.ts';
import { type Form, type FormRules, readForm } from './form.ts';

/** A file uploaded with a form. */
export interface UploadedFile {
  /** Without folders. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Upload {
  readonly form: Form;
  readonly files: readonly UploadedFile[];
}

export interface UploadRules extends FormRules {
  readonly filesMax: number;
}

const NAME_CHARACTERS_MAX = 128;
/** A boundary in the form that browsers use, up to the 70 characters of RFC 2046. */
const MULTIPART = /^multipart\/form-data\s*;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*$/i;

const malformed = () => refuse('INVALID_PAYLOAD', 'The form is malformed.');

/**
 * Reads a form with or without files.
 *
 * @throws Refusal like {@link readForm}, or if there are too many files
 */
export async function readUpload(context: HookContext, rules: UploadRules): Promise<Upload> {
  const type = context.request.headers.get('content-type') ?? '';
  if (!MULTIPART.test(type)) return { form: await readForm(context, rules), files: [] };
  const bytes = await bodyBytesOf(context, rules.capBytes ?? 64 * KIB);
  const parts = await partsOf(bytes, type);
  const form: Record<string, string> = {};
  const files: UploadedFile[] = [];
  for (const [name, value] of parts) {
    if (typeof value !== 'string') {
      // If the user chose no file, browsers send an empty file without a name.
      const { name: fileName = '' } = value;
      if (fileName === '' && value.size === 0) continue;
      if (files.length >= rules.filesMax)
        throw refuse('INVALID_PAYLOAD', `The form has more than ${rules.filesMax} files.`);
      files.push({ name: plainName(fileName), bytes: new Uint8Array(await value.arrayBuffer()) });
    } else if (name !== rules.anyTextIn && !isWholeText(value)) throw malformed();
    else form[name] = value;
  }
  return { form, files };
}

/** A field, or the used part of a file's interface. In Bun, files without a name have the name undefined instead of empty. */
type Part = [
  name: string,
  value: string | (Pick<File, 'size' | 'arrayBuffer'> & { readonly name?: string | undefined }),
];

async function partsOf(bytes: Uint8Array, type: string): Promise<Part[]> {
  try {
    const answer = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
    const parts: Part[] = [];
    (await answer.formData()).forEach((value, name) => {
      parts.push([name, value]);
    });
    return parts;
  } catch {
    throw malformed();
  }
}

/** A file's name without folders and invisible characters. */
const plainName = (name: string): string =>
  [
    ...name
      .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ''),
  ]
    .slice(0, NAME_CHARACTERS_MAX)
    .join('');
