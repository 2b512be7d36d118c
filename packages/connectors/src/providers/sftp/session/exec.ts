import type { Client, ClientChannel } from 'ssh2';
import { aborted, cutOff } from '../errors.ts';

/** What a program at the server has answered. */
export interface Ran {
  /** Its exit code; undefined when it was ended by a signal or reported none. */
  readonly code: number | undefined;
  readonly output: string;
}

/** Most bytes of output that are kept. */
const mostOutput = 64 * 1024;

/**
 * Runs a command at the server (RFC 4254, section 6.5) with that input. Undefined where the server allows no commands, or no further channel now. Rejects
 * when the connection ends or the signal aborts, which ends the command's channel.
 */
export function execute(client: Client, command: string, input: Buffer, signal: AbortSignal): Promise<Ran | undefined> {
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

function read(channel: ClientChannel, input: Buffer, signal: AbortSignal): Promise<Ran> {
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
      // The chunk's memory is used again after this call.
      if (bytes <= mostOutput) output.push(Buffer.from(chunk));
    });
    channel.stderr.resume();
    channel.on('exit', (status: number | null) => (code = status ?? undefined));
    // Nobody reads the input of a program that does not exist.
    channel.on('error', () => undefined);
    channel.on('close', () => {
      signal.removeEventListener('abort', giveUp);
      resolve({ code, output: Buffer.concat(output).toString('latin1') });
    });
    channel.end(input);
  });
}
