import { sftpNumbers, sshString, sshUint32, sshUint64 } from '@sheaf/connectors';

export const { packet: request, status, openFlag } = sftpNumbers;
const { packet: answer, attrFlag: flag } = sftpNumbers;

export type Status = (typeof status)[keyof typeof status];

/** Names and versions of the extensions to version 3 that are offered: https://github.com/openssh/openssh-portable/blob/master/PROTOCOL */
export const extensions = {
  'posix-rename@openssh.com': '1',
  'statvfs@openssh.com': '2',
  'fstatvfs@openssh.com': '2',
  'fsync@openssh.com': '1',
  'limits@openssh.com': '1',
} as const;

/** Longest packet, and most bytes of one read or write, as OpenSSH has them. */
export const longestPacket = 256 * 1024;
export const longestData = 255 * 1024;

/** Attributes of a file; absent ones are left out of the packet. */
export interface Attrs {
  readonly size?: number;
  readonly mode?: number;
  /** Epoch seconds. */
  readonly modified?: number;
}

/** A refusal in the words of SFTP. */
export class SftpError extends Error {
  readonly status: Status;
  constructor(code: Status, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SftpError';
    this.status = code;
  }
}

const broken = (): SftpError => new SftpError(status.badMessage, 'The packet is not valid.');

export type PacketReader = ReturnType<typeof readPacket>;

/** Reads the fields of a packet, whose last one may be in memory of its own; throws SftpError for one that ends early. */
export function readPacket(bytes: Buffer, last?: Buffer) {
  let at = 0;
  const skip = (count: number): number => {
    if (at + count > bytes.length) throw broken();
    at += count;
    return at - count;
  };
  const uint32 = (): number => bytes.readUInt32BE(skip(4));
  const uint64 = (): number => {
    const value = Number(bytes.readBigUInt64BE(skip(8)));
    if (!Number.isSafeInteger(value)) throw broken();
    return value;
  };
  const data = (): Buffer => {
    const length = uint32();
    if (last && at === bytes.length) {
      if (length > last.length) throw broken();
      return last.subarray(0, length);
    }
    const start = skip(length);
    return bytes.subarray(start, start + length);
  };
  return {
    byte: (): number => bytes.readUInt8(skip(1)),
    uint32,
    uint64,
    data,
    /** Reads UTF-8: names in other encodings cannot be addressed. */
    text(): string {
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data());
      } catch (error) {
        if (error instanceof TypeError) throw new SftpError(status.noSuchFile, 'The name is not UTF-8.', error);
        throw error;
      }
    },
    attrs(): Attrs {
      const flags = uint32();
      const size = (flags & flag.size) === 0 ? undefined : uint64();
      if ((flags & flag.owner) !== 0) skip(8);
      const mode = (flags & flag.permissions) === 0 ? undefined : uint32();
      if ((flags & flag.times) !== 0) skip(4);
      const modified = (flags & flag.times) === 0 ? undefined : uint32();
      return { ...(size !== undefined && { size }), ...(mode !== undefined && { mode }), ...(modified !== undefined && { modified }) };
    },
  };
}

/** A packet: its length, its kind and its fields. */
function packet(kind: number, ...fields: readonly Uint8Array[]): Buffer {
  const length = fields.reduce((sum, field) => sum + field.byteLength, 1);
  return Buffer.concat([sshUint32(length), Buffer.from([kind]), ...fields]);
}

/** Whether a time fits into the protocol's 32 bits; others are left out. */
const isTime = (seconds: number | undefined): seconds is number => seconds !== undefined && seconds >= 0 && seconds < 2 ** 32;

function attrsBytes({ size, mode, modified }: Attrs): Buffer {
  const times = isTime(modified) ? [sshUint32(Math.trunc(modified)), sshUint32(Math.trunc(modified))] : [];
  const flags = (size === undefined ? 0 : flag.size) | (mode === undefined ? 0 : flag.permissions) | (times.length === 0 ? 0 : flag.times);
  return Buffer.concat([
    sshUint32(flags),
    ...(size === undefined ? [] : [sshUint64(size)]),
    ...(mode === undefined ? [] : [sshUint32(mode)]),
    ...times,
  ]);
}

export interface NamedAttrs {
  readonly name: string;
  /** As `ls -l` shows it. */
  readonly line: string;
  readonly attrs: Attrs;
}

/** The answers of a server. */
export const answers = {
  version: (): Buffer =>
    packet(answer.version, sshUint32(3), ...Object.entries(extensions).flatMap(([name, version]) => [sshString(name), sshString(version)])),
  status: (id: number, code: Status, message = ''): Buffer =>
    packet(answer.status, sshUint32(id), sshUint32(code), sshString(message), sshString('en')),
  handle: (id: number, handle: string): Buffer => packet(answer.handle, sshUint32(id), sshString(handle)),
  data: (id: number, bytes: Uint8Array): Buffer => packet(answer.data, sshUint32(id), sshUint32(bytes.byteLength), bytes),
  /** The same without its bytes. */
  dataHead(id: number, { byteLength }: Uint8Array): Buffer {
    const fields = [sshUint32(id), sshUint32(byteLength)];
    return Buffer.concat([sshUint32(1 + 8 + byteLength), Buffer.from([answer.data]), ...fields]);
  },
  names: (id: number, names: readonly NamedAttrs[]): Buffer =>
    packet(
      answer.name,
      sshUint32(id),
      sshUint32(names.length),
      ...names.flatMap(({ name, line, attrs }) => [sshString(name), sshString(line), attrsBytes(attrs)]),
    ),
  attrs: (id: number, attrs: Attrs): Buffer => packet(answer.attrs, sshUint32(id), attrsBytes(attrs)),
  /** `limits@openssh.com` and `statvfs@openssh.com`: numbers only. */
  numbers: (id: number, numbers: readonly number[]): Buffer => packet(answer.extendedReply, sshUint32(id), ...numbers.map(sshUint64)),
};
