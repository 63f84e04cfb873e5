/** Media types of binary bodies: messages, measurements, archives, media. */
const BINARY_TYPE =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:grpc|octet-stream|(?:x-|vnd\.google\.)?protobuf|x-thrift|(?:x-|vnd\.)?msgpack|cbor|avro|wasm|zip|gzip|x-gzip|x-snappy|pdf|vnd\.(?:ms-|openxml|apache\.)))/;
/** Content encodings. */
const PACKED = /^(?:gzip|x-gzip|br|deflate|zstd|snappy|lz4)$/;
/** Control characters, which texts do not contain, and the replacement character for invalid bytes. */
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g;
const SAMPLE_CHARS = 2_000;
const CONTROLS_MIN = 3;
const CONTROLS_SHARE = 0.02;
/** Types of forms and documents, where a control character is part of a value. */
const TEXT_TYPE = /form-urlencoded|multipart|json|xml|html/;

/**
 * Whether a body is binary. The declared type is not sufficient, because the sender chooses it; the content must contain control
 * characters.
 *
 * @param type content type, lower-case
 * @param encoding content encoding, lower-case
 */
export function isBinary(body: string, type: string, encoding: string): boolean {
  const sample = body.slice(0, SAMPLE_CHARS);
  const controls = sample.match(CONTROL)?.length ?? 0;
  if (controls > 0 && (BINARY_TYPE.test(type) || PACKED.test(encoding))) return true;
  return !TEXT_TYPE.test(type) && controls >= CONTROLS_MIN && controls >= sample.length * CONTROLS_SHARE;
}
