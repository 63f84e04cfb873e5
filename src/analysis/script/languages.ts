import type { Language } from './language.ts';
import { ASP, COLD_FUSION, JAVA } from './pages.ts';
import { PERL, PYTHON, RUBY } from './programs.ts';
import { POWERSHELL, SHELL } from './shells.ts';

/** Supported languages; those of pages first. */
export const LANGUAGES: readonly Language[] = [JAVA, ASP, COLD_FUSION, PERL, PYTHON, RUBY, POWERSHELL, SHELL];
