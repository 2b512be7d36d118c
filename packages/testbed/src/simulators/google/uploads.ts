import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Content, type ContentWriter, type Contents, type Reply, type SimulatedRequest, readContentRange } from '../kit/index.ts';
import { errorReply } from './refusals.ts';

const KiB = 1024;
/** Sessions keep whole blocks of an interrupted chunk; all chunks except the last are whole blocks. */
const block = 256 * KiB;

type Finish<Name extends string> = (content: Content<Name>, headers: IncomingHttpHeaders) => Reply | Promise<Reply>;

interface Session<Name extends string> {
  readonly writer: ContentWriter<Name>;
  readonly finish: Finish<Name>;
  readonly announced: number | undefined;
  answer?: Reply;
}

/** Resumable uploads, common to Drive and Cloud Storage: https://cloud.google.com/storage/docs/performing-resumable-uploads */
export function createUploads<Name extends string>(contents: Contents<Name>) {
  const sessions = new Map<string, Session<Name>>();
  const manners = { keeps: Number.POSITIVE_INFINITY, damages: 0, repeated: 0 };

  /** Returns the content, or when configured one whose first byte is damaged. */
  async function received(content: Content<Name>): Promise<Content<Name>> {
    if (manners.damages <= 0 || content.size === 0) return content;
    manners.damages -= 1;
    const chunks: Buffer[] = [];
    for await (const chunk of content.open() as AsyncIterable<Buffer>) chunks.push(Buffer.from(chunk));
    const bytes = Buffer.concat(chunks);
    bytes.writeUInt8(bytes.readUInt8(0) ^ 255, 0);
    return contents.of(bytes);
  }

  async function end(session: Session<Name>, headers: IncomingHttpHeaders): Promise<Reply> {
    session.answer = await session.finish(await received(session.writer.finish()), headers);
    return session.answer;
  }

  const progress = ({ writer }: Session<Name>): Reply => ({
    status: 308,
    headers: { 'content-length': 0, ...(writer.size > 0 && { range: `bytes=0-${writer.size - 1}` }) },
  });

  /** Handles a request to a session's URL. */
  async function put({ query, headers, stream }: SimulatedRequest): Promise<Reply> {
    const session = sessions.get(query.get('upload_id') ?? '');
    if (!session) return { status: 404 };
    if (session.answer) return session.answer;
    const { writer, announced } = session;
    const range = headers['content-range'] === undefined ? whole(headers) : readContentRange(headers['content-range']);
    if (!range) return errorReply(400, 'badRequest', 'Failed to parse Content-Range header.');
    const { start, end: last, size } = range;
    if (size !== undefined && announced !== undefined && size !== announced)
      return errorReply(400, 'badRequest', 'The size is another than the one announced.');
    if (start === undefined || last === undefined) return size === writer.size ? end(session, headers) : progress(session);
    if (start > writer.size) return errorReply(400, 'badRequest', 'The bytes before are missing.');
    if (Number(headers['content-length']) !== last - start)
      return errorReply(400, 'badRequest', 'Content-Range does not fit Content-Length.');
    if (last !== size && (last - start) % block !== 0)
      return errorReply(400, 'badRequest', 'A piece must be a multiple of 256 KiB, unless it is the last.');
    await take(writer, stream, start);
    return writer.size === size ? end(session, headers) : progress(session);
  }

  const whole = (headers: IncomingHttpHeaders) => {
    const size = Number(headers['content-length']);
    return Number.isSafeInteger(size) ? { start: 0, end: size, size } : undefined;
  };

  /** Appends a chunk block by block: an interrupted chunk loses its last block. Skips bytes that are already stored. */
  async function take(writer: ContentWriter<Name>, stream: Readable, start: number): Promise<void> {
    let skip = writer.size - start;
    let room = manners.keeps;
    manners.keeps = Number.POSITIVE_INFINITY;
    let held: Buffer[] = [];
    let length = 0;
    const flush = async () => {
      const bytes = Buffer.concat(held).subarray(0, room);
      room -= bytes.length;
      held = [];
      length = 0;
      if (bytes.length > 0) await writer.write(Readable.from([bytes]));
    };
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const fresh = chunk.subarray(skip);
      skip -= chunk.length - fresh.length;
      manners.repeated += chunk.length - fresh.length;
      held.push(fresh);
      length += fresh.length;
      if (length >= block) await flush();
    }
    await flush();
  }

  return {
    /** Starts a session; returns its id. */
    open(headers: IncomingHttpHeaders, finish: Finish<Name>): string {
      const id = randomBytes(16).toString('hex');
      const announced = headers['x-upload-content-length'];
      sessions.set(id, { writer: contents.writer(), finish, announced: announced === undefined ? undefined : Number(announced) });
      return id;
    },
    put,
    /** Receives the body of a single-request upload. */
    receive: async (stream: Readable): Promise<Content<Name>> => received(await contents.receive(stream)),
    cancel({ query }: SimulatedRequest): Reply {
      return { status: sessions.delete(query.get('upload_id') ?? '') ? 499 : 404 };
    },
    /** Number of sessions that are neither finished nor cancelled. */
    openSessions: (): number => [...sessions.values()].filter(({ answer }) => !answer).length,
    /** Number of bytes received repeatedly. */
    repeated: (): number => manners.repeated,
    /** Expires every session. */
    forget: (): void => sessions.clear(),
    /** Keeps only this many bytes of the next chunk, a multiple of 256 KiB. */
    keepOnly: (bytes: number): void => void (manners.keeps = bytes),
    /** Stores the next uploads with a damaged first byte. */
    damage: (times = 1): void => void (manners.damages = times),
  };
}
