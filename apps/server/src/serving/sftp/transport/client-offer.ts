import type { Socket } from 'node:net';

/** Most bytes that a client's version line and its key exchange packet may take (RFC 4253, sections 4.2 and 6.1). */
const longest = 255 + 35_000;
/** Milliseconds that a client has for them. One that waits for ours first is served as if it had offered nothing special. */
const patience = 1000;
/** SSH_MSG_KEXINIT: RFC 4253, section 7.1. */
const kexInit = 20;

/** Ciphers that a client offers in both directions. */
type Ciphers = ReadonlySet<string>;
const none: Ciphers = new Set();

/**
 * The ciphers in the first bytes of a client: its version line, then its KEXINIT packet, which is not encrypted. Undefined while bytes are missing; none in
 * bytes that are something else.
 */
export function ciphersIn(bytes: Buffer): Ciphers | undefined {
  const lineEnd = bytes.indexOf(0x0a);
  if (lineEnd < 0) return bytes.length > longest ? none : undefined;
  const packet = bytes.subarray(lineEnd + 1);
  if (packet.length < 6) return undefined;
  const length = packet.readUInt32BE();
  if (length > longest || packet[5] !== kexInit) return none;
  if (packet.length < 4 + length) return undefined;
  const payload = packet.subarray(0, 4 + length);
  // Length, length of the padding, type, cookie; then name lists: key exchange, host key, cipher to and from the server.
  let at = 4 + 1 + 1 + 16;
  const names = (): string[] => {
    if (at + 4 > payload.length) return [];
    const start = at + 4;
    at = start + payload.readUInt32BE(at);
    return payload.toString('latin1', start, Math.min(at, payload.length)).split(',');
  };
  names();
  names();
  const [sent, received] = [names(), new Set(names())];
  return new Set(sent.filter((name) => received.has(name)));
}

/** Waits for the ciphers that a client offers, and leaves what it has sent to be read again. Resolves with none for a client that is silent or gone. */
export function ciphersOf(socket: Socket): Promise<Ciphers> {
  return new Promise((resolve) => {
    let heard = Buffer.alloc(0);
    const finish = (ciphers: Ciphers): void => {
      clearTimeout(timer);
      socket.off('data', hear).off('close', leave).pause();
      if (heard.length > 0 && !socket.destroyed) socket.unshift(heard);
      resolve(ciphers);
    };
    const leave = (): void => finish(none);
    const hear = (chunk: Buffer): void => {
      heard = Buffer.concat([heard, chunk]);
      const ciphers = heard.length > longest ? none : ciphersIn(heard);
      if (ciphers) finish(ciphers);
    };
    const timer = setTimeout(leave, patience).unref();
    socket.on('data', hear).once('close', leave);
  });
}
