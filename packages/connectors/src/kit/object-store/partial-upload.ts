import { Type } from 'typebox';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { Upload } from '../../core/upload.ts';
import { parseJson } from '../rest/json.ts';
import { type Leftover, leftoverOf, parseLeftover } from './leftover.ts';

/** A resumable upload, in order, into a hidden file in the target's folder. */
export interface PartialUpload extends Leftover {
  /** Bytes of each part except the last. */
  readonly partSize: number;
  /** Whether the server can only append: a part then begins exactly at the end of the file. */
  readonly appends?: true;
}

/** Size in bytes of each part of an upload in order: after a crash, at most this much is sent again. */
export const usualPartSize = 16 * 1024 * 1024;

const Shape = Type.Object({
  leftover: Type.String(),
  partSize: Type.Integer({ minimum: 1 }),
  appends: Type.Optional(Type.Literal(true)),
});

/** Encodes the session of such an upload. */
export const sessionOf = ({ partSize, appends, ...leftover }: PartialUpload): Upload['session'] =>
  JSON.stringify({ leftover: leftoverOf(leftover), partSize, ...(appends && { appends }) });

/** Decodes a session; throws `notFound` for anything else, so that only an upload's own file is written or removed. */
export function parseSession(session: string): PartialUpload {
  try {
    const { leftover, ...rest } = parseJson(Shape, session);
    return { ...parseLeftover(leftover), ...rest };
  } catch (error) {
    if (isKind(error, 'unexpected')) throw unknownUpload(error);
    throw error;
  }
}

/** The error for an upload that the source does not know, or no longer knows. */
export const unknownUpload = (cause?: unknown): ConnectorError =>
  new ConnectorError('notFound', 'the source has no such upload', { ...(cause !== undefined && { cause }) });

/**
 * Returns the number of bytes that the source certainly has when its partial file has `size` bytes: whole parts only. Each part begins
 * after the previous one was confirmed; the bytes of an interrupted part may have been stored in another order, or lost in a power failure.
 */
export const certainOffset = (size: number, partSize: number): number => size - (size % partSize);
