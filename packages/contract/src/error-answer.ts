import { type Static, Type } from 'typebox';
import type { ErrorDetails } from './error-words.ts';

const text = Type.String();
const optional = Type.Optional;
const strings = Type.Unsafe<ErrorDetails>({ type: 'object', additionalProperties: { type: 'string' } });

/**
 * An error on the wire. `messageCode` and `details` are for clients that word errors themselves, in any language; `message` is the English sentence made
 * from them.
 */
export const ErrorAnswer = Type.Object({
  errorCode: Type.Integer(),
  messageCode: text,
  message: text,
  /** Values by placeholder of the row's template. A `day` is written as 2026-10-01; a list has one name per line. */
  details: strings,
  /** The exact cause, as an English sentence, and its code and details. */
  reason: optional(text),
  reasonCode: optional(text),
  reasonDetails: optional(strings),
  /** The invalid field of connection info. */
  field: optional(text),
  /** SHA-256 fingerprint of the server's certificate; send it back as `acceptedCertificate` of the connection info to trust it. */
  certificate: optional(text),
  /** The new address that the server reports. */
  movedTo: optional(text),
  /** For an unexpected error: id of its entry in the server's log. */
  requestId: optional(text),
});
export type ErrorAnswer = Static<typeof ErrorAnswer>;
