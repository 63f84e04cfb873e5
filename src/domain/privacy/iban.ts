import { isDigit, isLetter, isLetterOrDigit } from './characters.ts';

/** Whether a text holds an IBAN of a country's length that passes the check of ISO 7064 (mod 97-10). */
export function hasIban(text: string): boolean {
  for (let i = 0; i + IBAN_LENGTH_MIN <= text.length; i++) {
    if (!isLetter(text.charCodeAt(i)) || isLetterOrDigit(text.charCodeAt(i - 1))) continue;
    if (!isLetter(text.charCodeAt(i + 1)) || !isDigit(text.charCodeAt(i + 2))) continue;
    const length = IBAN_LENGTHS.get(text.slice(i, i + 2).toUpperCase());
    if (length !== undefined && isIbanAt(text, i, length)) return true;
  }
  return false;
}

function isIbanAt(text: string, start: number, length: number): boolean {
  const values: number[] = [];
  let at = start;
  for (; values.length < length; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) values.push(code - 0x30);
    else if (isLetter(code)) values.push((code | 0x20) - 0x57);
    else if (!isIbanSeparator(code) || isIbanSeparator(text.charCodeAt(at - 1))) return false;
  }
  if (isLetterOrDigit(text.charCodeAt(at))) return false;
  let remainder = 0;
  for (const value of [...values.slice(4), ...values.slice(0, 4)]) {
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

const isIbanSeparator = (code: number): boolean => code === 0x20 || code === 0x2d;

/** Country code and length, from the SWIFT IBAN registry. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 ' +
    'DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 ' +
    'IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 ' +
    'MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 ' +
    'SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);
const IBAN_LENGTH_MIN = 15;
