#!/bin/sh
# Verifies an answer or a license file of the service: exit code 0 if it is valid. Needs openssl 3, sed, and base64 and date of coreutils.
#   redoubt-verify.sh reply HEADERS BODY URL NONCE KEYS    HEADERS and BODY as curl -D HEADERS -o BODY wrote them
#   redoubt-verify.sh license FILE KEYS                    KEYS from /.well-known/redoubt-keys
# REDOUBT_NOW, seconds since 1970, is for tests.
set -eu
now=${REDOUBT_NOW:-$(date +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# signed PURPOSE KID SIGNATURE KEYS: whether such a key signed $work/text.
signed() {
  key=$(tr '{' '\n' <"$4" | sed -n "/\"purpose\":\"$1\",\"kid\":\"$2\"/p" | head -n 1)
  case $key in '' | *'"state":"revoked"'*) return 1 ;; esac
  until=$(printf %s "$key" | sed -n 's/.*"not_after":"\([^"]*\)".*/\1/p')
  [ -z "$until" ] || [ "$(date -d "$until" +%s)" -gt "$now" ] || return 1
  { # The 32 bytes of the key as DER (RFC 8410)
    printf '\060\052\060\005\006\003\053\145\160\003\041\000'
    printf %s "$key" | sed -n 's/.*"public_key":"\([^"]*\)".*/\1/p' | base64 -d
  } >"$work/key"
  printf %s "$3" | base64 -d >"$work/signature" 2>/dev/null || return 1
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key" -rawin -in "$work/text" -sigfile "$work/signature" >/dev/null 2>&1
}

# header NAME: its value. A repeated header gives two lines, which match nothing.
header() { tr -d '\r' <"$headers" | sed -n "s/^$1: *//Ip"; }

case ${1:-} in
reply)
  headers=$2 body=$3 url=$4 nonce=$5 keys=$6
  covered='("@status" "content-digest" "@method";req "@target-uri";req)'
  input=$(header signature-input)
  created=$(printf %s "$input" | sed -n 's/.*;created=\([0-9]\{1,11\}\);.*/\1/p')
  kid=$(printf %s "$input" | sed -n 's/.*;keyid="\([0-9a-f]\{16\}\)";.*/\1/p')
  digest="sha-256=:$(openssl dgst -sha256 -binary "$body" | base64):"
  parameters="$covered;created=$created;nonce=\"$nonce\";keyid=\"$kid\";alg=\"ed25519\""
  [ "$input" = "sig=$parameters" ] && [ "$(header content-digest)" = "$digest" ] || exit 1
  [ $((now - created)) -le 300 ] && [ $((created - now)) -le 300 ] || exit 1
  status=$(sed -n 's/^HTTP\/[0-9.]* \([0-9]*\).*/\1/p' "$headers" | tail -n 1)
  printf '"@status": %s\n"content-digest": %s\n"@method";req: POST\n"@target-uri";req: %s\n"@signature-params": %s' \
    "$status" "$digest" "$url" "$parameters" >"$work/text"
  signed reply "$kid" "$(header signature | sed -n 's/^sig=:\(.*\):$/\1/p')" "$keys"
  ;;
license)
  [ "$(sed -n '1{s/\r$//;p;}' "$2")" = '-----BEGIN LICENSE FILE-----' ] || exit 1
  envelope=$(sed '/^-----.* LICENSE FILE-----/d' "$2" | tr -d '\r\n' | base64 -d 2>/dev/null) || exit 1
  part() { printf %s "$1" | sed -n "s/.*\"$2\":\"\([^\"]*\)\".*/\1/p"; }
  enc=$(part "$envelope" enc)
  said=$(printf %s "$enc" | base64 -d 2>/dev/null) || exit 1
  [ "$(part "$envelope" alg)" = base64+ed25519 ] && [ "$(part "$said" format)" = redoubt-license/1 ] || exit 1
  kid=$(part "$said" kid | sed -n '/^[0-9a-f]\{16\}$/p')
  printf 'license/%s' "$enc" >"$work/text"
  [ -n "$kid" ] && signed license "$kid" "$(part "$envelope" sig)" "$3" || exit 1
  [ "$(date -d "$(part "$said" expiry)" +%s)" -gt "$now" ] || exit 1
  printf '%s\n' "$said"
  ;;
*)
  sed -n '2,5s/^# //p' "$0" >&2
  exit 2
  ;;
esac
