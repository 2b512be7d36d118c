import type { Readable } from 'node:stream';
import type { CallOptions } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { PartOptions } from '../../core/upload.ts';
import { type BodyReader, createBodyReader } from '../body/body-reader.ts';

/** An upload of `size` bytes to a service whose file appears with the last byte. */
interface HeldBack {
  readonly size: number;
}

/** The service's side of such an upload. */
export interface Held<Session extends HeldBack> {
  /** Block size in bytes: every request to the session, except the one with the last byte, must send a multiple of it. */
  readonly block: number;
  /** Returns the number of bytes that the session has; rejects with `notFound` when the service does not know it. */
  stored(session: Session, ask: CallOptions): Promise<number>;
  /** Sends the body's next bytes; resolves once the session has all of them. */
  send(session: Session, body: { readonly reader: BodyReader; readonly body: Readable }, part: Omit<PartOptions, 'session'>): Promise<void>;
  /** Stores the last bytes in a small file with a hidden name; replaces an earlier one. */
  putTail(session: Session, bytes: Uint8Array, ask: CallOptions): Promise<void>;
  /** Returns the size of that file in bytes; undefined while there is none. */
  tailSize(session: Session, ask: CallOptions): Promise<number | undefined>;
}

/**
 * Uploads in order that end only on request, at services whose file appears with its last byte: the last block, which may be short, is held
 * back in a small file. A replaced file therefore stays the same file, with its versions and shares, and an unfinished file is never
 * visible.
 */
export function holdBack<Session extends HeldBack>({ block, stored, send, putTail, tailSize }: Held<Session>) {
  /** Returns the number of bytes before the last block. */
  const frontOf = ({ size }: HeldBack): number => (Math.ceil(size / block) - 1) * block;
  const hasTail = async (session: Session, ask: CallOptions): Promise<boolean> =>
    (await tailSize(session, ask)) === session.size - frontOf(session);

  return {
    frontOf,

    async sendPart(session: Session, body: Readable, part: Omit<PartOptions, 'session'>): Promise<string> {
      try {
        const { offset, size, signal } = part;
        const end = offset + size;
        const front = frontOf(session);
        const isLast = end === session.size;
        const fits = size > 0 && offset >= 0 && offset <= front && (isLast || (end <= front && end % block === 0));
        if (!fits) throw new ConnectorError('sizeDiffers', `${size} bytes from ${offset} on are no part of this upload`);
        const reader = createBodyReader(body, signal);
        const ahead = Math.min(end, front) - offset;
        if (ahead > 0) await send(session, { reader, body }, { offset, size: ahead, signal });
        else if ((await stored(session, { signal })) < front)
          throw new ConnectorError('interrupted', 'the service does not have the bytes before', { retryable: true });
        const rest = await reader.take(size - ahead + 1);
        if (rest.byteLength !== size - ahead) throw new ConnectorError('sizeDiffers', `another length than ${size} bytes came`);
        if (isLast) await putTail(session, rest, { signal });
        return String(end);
      } finally {
        body.destroy();
      }
    },

    /** Returns the offset of the first missing byte. */
    async offset(session: Session, ask: CallOptions): Promise<number> {
      const front = frontOf(session);
      const at = await stored(session, ask);
      return at >= front && (await hasTail(session, ask)) ? session.size : Math.min(at, front);
    },

    /** Rejects with `sizeDiffers` unless every byte was sent, and with `notFound` when the service does not know the session. */
    async mustBeWhole(session: Session, ask: CallOptions): Promise<void> {
      const at = await stored(session, ask);
      if (at !== frontOf(session) || !(await hasTail(session, ask)))
        throw new ConnectorError('sizeDiffers', `the service has ${at} of ${session.size} bytes, or not the last ones`);
    },
  };
}
