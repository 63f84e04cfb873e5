<?php
// Verifies answers and license files of the service. PHP 7.4 or later with sodium, or WordPress, which includes sodium_compat.
// $keys is the decoded field "keys" of /.well-known/redoubt-keys; $now is for tests.

/** An answer to POST $url with "Accept-Signature: sig=();nonce=\"$nonce\"": $headers have lower-case names. */
function redoubt_reply_holds(int $status, array $headers, string $body, string $url, string $nonce, array $keys, int $now = 0): bool {
    foreach (['signature-input', 'signature', 'content-digest'] as $name) if (!is_string($headers[$name] ?? null)) return false;
    $covered = '\("@status" "content-digest" "@method";req "@target-uri";req\)';
    $input = "/^sig=($covered;created=(\d{1,11});nonce=\"([^\"]+)\";keyid=\"([0-9a-f]{16})\";alg=\"ed25519\")\$/D";
    $digest = 'sha-256=:' . base64_encode(hash('sha256', $body, true)) . ':';
    if (!preg_match($input, $headers['signature-input'], $said) || $headers['content-digest'] !== $digest) return false;
    if (!preg_match('/^sig=:([A-Za-z0-9+\/]{86}==):$/D', $headers['signature'], $signature)) return false;
    if (!hash_equals($nonce, $said[3]) || abs(($now ?: time()) - (int) $said[2]) > 300) return false;
    $base = "\"@status\": $status\n\"content-digest\": $digest\n\"@method\";req: POST\n\"@target-uri\";req: $url\n\"@signature-params\": $said[1]";
    return redoubt_signed('reply', $said[4], $signature[1], $base, $keys, $now);
}

/** The content of a valid license file, otherwise null. Compare its "domains" with yours. */
function redoubt_license_file(string $text, array $keys, int $now = 0): ?array {
    if (!preg_match('/^-----BEGIN LICENSE FILE-----([A-Za-z0-9+\/=\r\n]+)-----END LICENSE FILE-----\s*$/D', $text, $body)) return null;
    $file = (array) json_decode((string) base64_decode($body[1]), true) + ['enc' => '', 'sig' => '', 'alg' => ''];
    if ($file['alg'] !== 'base64+ed25519' || !is_string($file['enc']) || !is_string($file['sig'])) return null;
    $said = (array) json_decode((string) base64_decode($file['enc'], true), true) + ['kid' => ''];
    if (!is_string($said['kid']) || !redoubt_signed('license', $said['kid'], $file['sig'], "license/$file[enc]", $keys, $now)) return null;
    return $said['format'] === 'redoubt-license/1' && strtotime($said['expiry']) > ($now ?: time()) ? $said : null;
}

/** Whether a current, unrevoked key of this purpose signed a text. */
function redoubt_signed(string $purpose, string $kid, string $signature, string $text, array $keys, int $now = 0): bool {
    $signature = (string) base64_decode($signature, true);
    foreach ($keys as $key) {
        if ($key['purpose'] !== $purpose || $key['kid'] !== $kid || $key['state'] === 'revoked') continue;
        if ($key['not_after'] !== null && strtotime($key['not_after']) <= ($now ?: time())) continue;
        return strlen($signature) === 64 && sodium_crypto_sign_verify_detached($signature, $text, base64_decode($key['public_key']));
    }
    return false;
}
