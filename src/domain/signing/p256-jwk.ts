/** The public half of a P-256 key, as RFC 7517 writes it. */
export interface P256Jwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
}
