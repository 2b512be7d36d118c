import type { ClientChannel } from 'ssh2';
import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError } from '../../../core/error.ts';
import { type Field, createFieldReader, encodeRequest, packet } from '../api.ts';
import { StatusError, cutOff, status } from '../errors.ts';
import { createOutbox } from './outbox.ts';
import { createPacketReader } from './packets.ts';

export interface Reply {
  readonly type: number;
  /** The bytes after the request id; empty when they went to the sink. */
  readonly payload: Buffer;
  /** Number of bytes written to the sink. */
  readonly filled: number;
}

/** One SFTP session on one channel of an SSH connection, with any number of concurrent requests. */
export interface Session {
  /** The server's limits for one request, in bytes. */
  readonly maxRead: number;
  readonly maxWrite: number;
  /** Shortest response time so far, in ms. */
  roundTrip(): number;
  has(extension: string): boolean;
  /** Sends a request. Rejects with StatusError for every status except OK, with `timeout` or `interrupted` when no response arrives. */
  request(type: number, ...fields: readonly Field[]): Promise<Reply>;
  /** Sends READ with the bytes going directly to `sink`; resolves with their number, 0 at the end of the file. */
  read(handle: Buffer, offset: number, sink: Buffer): Promise<number>;
  /** Sends WRITE in a packet that the caller has laid out with room for the request id at byte 5. */
  write(whole: Buffer): Promise<void>;
  /** Batches the requests that `send` makes into one write. */
  together(send: () => void): void;
  end(): void;
}

/** Requests that change nothing. */
const questions: ReadonlySet<number> = new Set([packet.fstat, packet.lstat, packet.opendir, packet.readdir, packet.realpath, packet.stat]);

interface Pending {
  readonly sink?: Buffer;
  /** ms without a byte from the server after which it counts as silent. */
  readonly within: number;
  readonly since: number;
  settle(reply: Reply): void;
  fail(error: ConnectorError): void;
}

/** The minimum that every server must accept in one request: draft-ietf-secsh-filexfer-02, section 3. */
const guaranteed = 32 * 1024;
/** Larger blocks are no faster; this fits a 256 KiB buffer with room for a header. */
export const largestBlock = 255 * 1024;

interface Surroundings {
  /** Batches what `send` writes. */
  together(send: () => void): void;
  /** Called for each chunk of channel data once it is fully processed. */
  taken(chunk: Buffer): void;
  /** Called when the session has ended, by a timeout or externally: the connection is unusable. */
  onEnd(): void;
}

/** Opens the session: INIT, VERSION, and the limits where supported. */
export async function openSession(channel: ClientChannel, { together, taken, onEnd }: Surroundings): Promise<Session> {
  const pending = new Map<number, Pending>();
  const extensions = new Map<string, string>();
  let nextId = 0;
  let lost: ConnectorError | undefined;
  let roundTrip = Number.POSITIVE_INFINITY;
  let heardAt = performance.now();
  let watch: NodeJS.Timeout | undefined;
  let dueAt = 0;
  let extensionsRead = false;

  function fail(error: ConnectorError): void {
    lost ??= error;
    clearTimeout(watch);
    for (const waiting of pending.values()) waiting.fail(error);
    pending.clear();
  }

  /** Checks once per timeout whether the server is silent, instead of resetting a timer with every packet. */
  function look(): void {
    watch = undefined;
    if (pending.size === 0) return;
    let longest = 0;
    for (const { within } of pending.values()) longest = Math.max(longest, within);
    const left = heardAt + longest - performance.now();
    if (left > 0) lookWithin(left);
    else {
      fail(new ConnectorError('timeout', 'the server has fallen silent', { retryable: true }));
      onEnd();
    }
  }

  function lookWithin(ms: number): void {
    const due = performance.now() + ms;
    if (watch && dueAt <= due) return;
    clearTimeout(watch);
    dueAt = due;
    watch = setTimeout(look, ms);
  }

  const reader = createPacketReader({
    sinkOf: (id) => pending.get(id)?.sink,
    onPacket(type, id, payload, filled) {
      const waiting = pending.get(id);
      if (!waiting) return;
      pending.delete(id);
      if (waiting.within === deadlines.question) roundTrip = Math.min(roundTrip, performance.now() - waiting.since);
      waiting.settle({ type, payload, filled });
    },
    onNonsense(reason) {
      fail(new ConnectorError('unexpected', reason));
      onEnd();
    },
  });
  channel.on('data', (chunk: Buffer) => {
    if (lost) return;
    heardAt = performance.now();
    reader.push(chunk);
    taken(chunk);
  });
  channel.stderr.resume();
  channel.on('error', (error: Error) => fail(cutOff(error)));
  channel.on('close', () => {
    const began = extensionsRead && !lost;
    fail(cutOff());
    if (began) onEnd();
  });

  const outbox = createOutbox((bytes) => {
    if (!lost) together(() => channel.write(bytes));
  });

  /** Registers the id and sends; ids wrap around long after their responses have arrived. */
  function send(make: (id: number) => Buffer, within: number, sink?: Buffer): Promise<Reply> {
    if (lost) return Promise.reject(lost);
    const id = nextId;
    nextId = (nextId + 1) >>> 0;
    return new Promise((settle, reject) => {
      if (pending.size === 0) heardAt = performance.now();
      pending.set(id, { ...(sink && { sink }), within, since: performance.now(), settle, fail: reject });
      lookWithin(within);
      outbox.post(make(id));
    });
  }

  const version = await new Promise<Buffer>((resolve, reject) => {
    pending.set(-1, { within: deadlines.login, since: performance.now(), settle: ({ payload }) => resolve(payload), fail: reject });
    lookWithin(deadlines.login);
    channel.write(Buffer.from([0, 0, 0, 5, packet.init, 0, 0, 0, 3]));
  });
  for (const fields = createFieldReader(version); fields.more();) extensions.set(fields.string().toString(), fields.string().toString());
  extensionsRead = true;

  const session: Session = {
    maxRead: largestBlock,
    maxWrite: guaranteed,
    roundTrip: () => roundTrip,
    has: (extension) => extensions.has(extension),
    async request(type, ...fields) {
      const reply = await send((id) => encodeRequest(type, id, fields), questions.has(type) ? deadlines.question : deadlines.change);
      return reply.type === packet.status ? accepted(reply) : reply;
    },
    async read(handle, offset, sink) {
      const reply = await send((id) => encodeRequest(packet.read, id, [handle, { uint64: offset }, sink.length]), deadlines.silence, sink);
      if (reply.type === packet.data) return reply.filled;
      if (codeOf(reply) === status.eof) return 0;
      throw new StatusError(codeOf(reply));
    },
    async write(whole) {
      accepted(
        await send((id) => {
          whole.writeUInt32BE(id, 5);
          return whole;
        }, deadlines.silence),
      );
    },
    together,
    end() {
      outbox.flush();
      channel.end();
    },
  };
  return { ...session, ...(await limitsOf(session)) };
}

const codeOf = (reply: Reply): number => {
  if (reply.type !== packet.status || reply.payload.length < 4)
    throw new ConnectorError('unexpected', `packet ${reply.type} was not asked for`);
  return reply.payload.readUInt32BE(0);
};

function accepted(reply: Reply): Reply {
  const code = codeOf(reply);
  if (code !== status.ok) throw new StatusError(code);
  return reply;
}

/**
 * Requests OpenSSH's limits@openssh.com; a server without it answers a long READ with fewer bytes, so that only long WRITEs must be
 * avoided.
 */
async function limitsOf(session: Session): Promise<{ maxRead: number; maxWrite: number }> {
  if (!session.has('limits@openssh.com')) return { maxRead: guaranteed, maxWrite: guaranteed };
  const { payload } = await session.request(packet.extended, Buffer.from('limits@openssh.com'));
  const fields = createFieldReader(payload);
  fields.uint64();
  const [read, write] = [fields.uint64(), fields.uint64()];
  const within = (limit: number) => Math.min(limit || guaranteed, largestBlock);
  return { maxRead: within(read), maxWrite: within(write) };
}
