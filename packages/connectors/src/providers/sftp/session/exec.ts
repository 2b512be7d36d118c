import type { Readable } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import { aborted, cutOff } from '../errors.ts';

/** Result of a command on the server. */
export interface Ran {
  /** The exit code; undefined when a signal ended the command or none was reported. */
  readonly code: number | undefined;
  readonly output: string;
}

/** Maximum bytes of output that are kept. */
const mostOutput = 64 * 1024;

/**
 * Runs a command on the server (RFC 4254, section 6.5) with that input. Undefined where the server allows no commands, or currently no
 * further channel. Rejects when the connection ends or the signal aborts, which ends the command's channel.
 */
export function execute(client: Client, command: string, input: Buffer | Readable, signal: AbortSignal): Promise<Ran | undefined> {
  return new Promise((resolve, reject) => {
    const cut = () => reject(cutOff());
    client.once('close', cut);
    const settle = <T>(answer: (value: T) => void, value: T): void => {
      client.removeListener('close', cut);
      answer(value);
    };
    client.exec(command, (error, channel) => {
      if (error) settle(resolve, undefined);
      else
        read(channel, input, signal).then(
          (ran) => settle(resolve, ran),
          (failure: unknown) => settle(reject, failure),
        );
    });
  });
}

function read(channel: ClientChannel, input: Buffer | Readable, signal: AbortSignal): Promise<Ran> {
  const output: Buffer[] = [];
  let bytes = 0;
  let code: number | undefined;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      channel.close();
      reject(aborted());
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    channel.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // The chunk's memory is reused after this call.
      if (bytes <= mostOutput) output.push(Buffer.from(chunk));
    });
    channel.stderr.resume();
    channel.on('exit', (status: number | null) => (code = status ?? undefined));
    // A missing program does not read its input: the error of this write does not matter.
    channel.on('error', () => undefined);
    channel.on('close', () => {
      signal.removeEventListener('abort', giveUp);
      resolve({ code, output: Buffer.concat(output).toString('latin1') });
    });
    if (Buffer.isBuffer(input)) channel.end(input);
    else input.pipe(channel);
  });
}
