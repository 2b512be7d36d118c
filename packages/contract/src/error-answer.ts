import { type Static, Type } from 'typebox';
import type { ErrorDetails } from './error-words.ts';

const text = Type.String();
const optional = Type.Optional;
const strings = Type.Unsafe<ErrorDetails>({ type: 'object', additionalProperties: { type: 'string' } });

/**
 * How an error looks on the wire. `messageCode` and `details` are for clients that word errors themselves, in any language; `message` is the English
 * sentence made from them.
 */
export const ErrorAnswer = Type.Object({
  errorCode: Type.Integer(),
  messageCode: text,
  message: text,
  /** By the placeholders of the row's template. A `day` is written as 2026-10-01; names of a list are on lines of their own. */
  details: strings,
  /** What exactly was found, as an English sentence, and what that is made from. */
  reason: optional(text),
  reasonCode: optional(text),
  reasonDetails: optional(strings),
  /** The field of connection info whose value is wrong. */
  field: optional(text),
  /** SHA-256 fingerprint of the certificate that the server shows; sent back as `acceptedCertificate` of the connection info it is trusted. */
  certificate: optional(text),
  /** The address at which the server says that it is now. */
  movedTo: optional(text),
  /** Of an error that nobody expected: under this id the server's log tells what happened. */
  requestId: optional(text),
});
export type ErrorAnswer = Static<typeof ErrorAnswer>;
