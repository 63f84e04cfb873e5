import { HASH_TOKEN } from '../threat/hash-token.ts';
import {
  hasDottedMacAddress,
  hasEmailAddress,
  hasHyphenatedIpv4Address,
  hasIpv4Address,
  hasIpv6Address,
  hasMacAddress,
} from './addresses.ts';
import { base64Decoded } from './base64.ts';
import { hasContent } from './content.ts';
import { hasRandomString, hasUuid } from './entropy.ts';
import { hasIban } from './iban.ts';
import { percentDecoded, plainText, withoutDefanging } from './normalise.ts';
import { digitRule } from './numbers.ts';
import { hasAbsolutePath, hasFileName } from './paths.ts';
import type { PrivacyPolicy } from './policy.ts';
import { hashTokenRule, providerTokenRule } from './provider-tokens.ts';
import {
  hasConnectionPairs,
  hasConnectionUrl,
  hasJwt,
  hasNamedSecret,
  hasPemBlock,
  hasSshKey,
  hasUrlLogin,
} from './secrets.ts';
import * as sign from './survey.ts';

/** A key is made of words; a value may be an enum's token, a number, a time. */
export type TextKind = 'key' | 'value';

/**
 * The rule that a text violates, or undefined: unchanged, with its percent escapes decoded, with obfuscated addresses restored,
 * and with its base64 runs decoded, each one level deep.
 */
export function textRule(text: string, kind: TextKind, policy: PrivacyPolicy): string | undefined {
  let plain = text;
  let signs = sign.survey(text);
  if (signs & sign.ODD_CHARACTER) {
    plain = plainText(text);
    if (isUnfolded(plain, text)) return UNFOLDED;
    signs = sign.survey(plain);
  }
  if ((signs & ~sign.DIGIT) === 0 || sign.isTimestamp(plain)) return contentRule(plain, policy);
  const rule = plainTextRule(plain, signs, kind, policy);
  if (rule !== undefined && rule !== RANDOM) return rule;
  // The decoded content of a random-looking text is more specific than its randomness.
  const decodedRule =
    (signs & sign.PERCENT ? decodedTextRule(percentDecoded(plain), kind, policy) : undefined) ??
    (signs & (sign.BRACKET | sign.SPACE)
      ? decodedTextRule(withoutDefanging(plain), kind, policy)
      : undefined) ??
    (signs & sign.RUN_OF_8 ? decodedTextRule(base64Decoded(plain), kind, policy) : undefined);
  return decodedRule ?? rule;
}

const RANDOM = 'value.random';
const UNFOLDED = 'body.unfolded';

/** Some characters expand to words: checking the result would take much longer than the text's length suggests. */
const isUnfolded = (plain: string, text: string): boolean =>
  plain.length > UNFOLDED_LENGTH && plain.length > UNFOLDED_TIMES * text.length;

const UNFOLDED_LENGTH = 1_000;
const UNFOLDED_TIMES = 4;

/**
 * The rule that the value of a hash field breaks, or undefined. What has the form of a hash token is random by
 * design, so exempt from the entropy, base64 and digit rules; anything else is a text like another.
 */
export const hashRule = (text: string, policy: PrivacyPolicy): string | undefined =>
  HASH_TOKEN.test(text)
    ? (hashTokenRule(text) ?? (hasMacAddress(text) ? 'value.mac' : undefined))
    : textRule(text, 'value', policy);

function decodedTextRule(
  decoded: string | undefined,
  kind: TextKind,
  policy: PrivacyPolicy,
): string | undefined {
  if (decoded === undefined) return undefined;
  const plain = plainText(decoded);
  if (isUnfolded(plain, decoded)) return UNFOLDED;
  return plainTextRule(plain, sign.survey(plain), kind, policy);
}

const contentRule = (text: string, policy: PrivacyPolicy): string | undefined =>
  policy.refusesContent && hasContent(text) ? 'value.content' : undefined;

/** Five signs between its pairs; underscores stand inside runs, which are not looked at one by one. */
const MAY_HOLD_MAC: sign.Signs = sign.TWO_COLONS | sign.FOUR_HYPHENS | sign.SPACE | sign.LONG;

/** With dots, as one hexadecimal number, or as the host of a URL. */
const mayHoldIpv4 = (text: string, signs: sign.Signs): boolean =>
  (signs & (sign.TWO_DOTS | sign.COLON)) !== 0 || /0x/i.test(text);

/** Most specific rule first: a token of a known provider is named before an e-mail next to it. */
function plainTextRule(
  text: string,
  signs: sign.Signs,
  kind: TextKind,
  policy: PrivacyPolicy,
): string | undefined {
  if (signs & sign.LONG) {
    const rule = providerTokenRule(text);
    if (rule !== undefined) return rule;
    if (signs & sign.DOT && hasJwt(text)) return 'value.jwt';
    if (signs & sign.RUN_OF_20 && hasSshKey(text)) return 'value.ssh-key';
  }
  if (signs & (sign.SPACE | sign.FOUR_HYPHENS) && hasPemBlock(text)) return 'value.pem';
  if (signs & sign.COLON) {
    if (hasConnectionUrl(text)) return 'value.connection-string';
    if (signs & sign.AT && hasUrlLogin(text)) return 'value.url-login';
  }
  if (signs & (sign.COLON | sign.EQUALS | sign.SPACE) && hasNamedSecret(text)) return 'value.named-secret';
  if (signs & sign.EQUALS && hasConnectionPairs(text)) return 'value.connection-string';
  if (signs & sign.AT && hasEmailAddress(text)) return 'value.email';
  if (signs & sign.DIGIT && mayHoldIpv4(text, signs) && hasIpv4Address(text)) return 'value.ipv4';
  if (signs & sign.TWO_COLONS && hasIpv6Address(text)) return 'value.ipv6';
  if (signs & MAY_HOLD_MAC && hasMacAddress(text)) return 'value.mac';
  if (signs & sign.TWO_DOTS && hasDottedMacAddress(text)) return 'value.mac';
  if (signs & sign.FOUR_NUMBERS && hasHyphenatedIpv4Address(text)) return 'value.ipv4';
  if (signs & sign.SLASH && hasAbsolutePath(text)) return 'value.path';
  if (policy.refusesContent && signs & (sign.SLASH | sign.DOT) && hasFileName(text)) return 'value.file-name';
  const content = contentRule(text, policy);
  if (content !== undefined) return content;
  if (signs & sign.FOUR_HYPHENS && hasUuid(text)) return 'value.uuid';
  if (signs & sign.EIGHT_DIGITS) {
    if (hasIban(text)) return 'value.iban';
    const rule = digitRule(text);
    if (rule !== undefined) return rule;
  }
  return signs & sign.RUN_OF_20 && hasRandomString(text, kind) ? RANDOM : undefined;
}
