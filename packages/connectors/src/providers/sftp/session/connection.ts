import type { Readable } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { SftpConfig } from '../config.ts';
import { aborted, cutOff } from '../errors.ts';
import { type Commands, createCommands } from './commands.ts';
import { type Ran, execute } from './exec.ts';
import { logIn } from './login.ts';
import { openSession } from './session.ts';

/** One SSH connection with SFTP; shared by any number of operations. */
export interface Connection {
  dead(): boolean;
  readonly commands: Commands;
  /** Returns up to `count` sessions on separate channels, {@link commands} first: fewer when the server refuses more. */
  lanes(count: number): Promise<readonly Commands[]>;
  /** Runs a command on the server with that input; see {@link execute}. */
  run(command: string, input: Buffer | Readable, signal: AbortSignal): Promise<Ran | undefined>;
  close(): void;
  /** Calls the listener once when the connection has ended for any reason. */
  onEnd(listener: () => void): void;
}

/** Connects, logs in and starts SFTP. Rejects like {@link logIn}, and with `unsupported` when the server has no SFTP. */
export async function openConnection(config: SftpConfig, env: Env, signal: AbortSignal): Promise<Connection> {
  const { client, together, taken } = await logIn(config, env, signal);
  let dead = false;
  const ended: (() => void)[] = [];
  const end = () => {
    dead = true;
    for (const listener of ended.splice(0)) listener();
  };
  // Marks the connection as ended before the socket has closed, so that no operation uses it in between.
  const close = () => {
    end();
    client.destroy();
  };
  client.on('error', close);
  client.on('close', end);

  const openLane = async (): Promise<Commands> =>
    createCommands(await openSession(await openChannel(client), { together, taken, onEnd: close }));
  const commands = await firstLane(openLane, signal, close);
  const lanes: Promise<Commands | undefined>[] = [Promise.resolve(commands)];
  let refused = false;
  const another = (): Promise<Commands | undefined> =>
    openLane().catch((error: unknown) => {
      if (!(error instanceof ConnectorError)) throw error;
      refused = true;
      return undefined;
    });

  return {
    dead: () => dead,
    commands,
    async lanes(count) {
      while (!refused && lanes.length < count) lanes.push(another());
      return (await Promise.all(lanes.slice(0, count))).filter((lane) => lane !== undefined);
    },
    run: (command, input, signal) => execute(client, command, input, signal),
    close,
    onEnd: (listener) => (dead ? listener() : void ended.push(listener)),
  };
}

async function firstLane(openLane: () => Promise<Commands>, signal: AbortSignal, close: () => void): Promise<Commands> {
  signal.addEventListener('abort', close, { once: true });
  try {
    return await openLane();
  } catch (error) {
    close();
    throw signal.aborted ? aborted() : error;
  } finally {
    signal.removeEventListener('abort', close);
  }
}

function openChannel(client: Client): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.once('close', () => reject(cutOff()));
    client.subsys('sftp', (error, channel) => {
      if (error) reject(new ConnectorError('unsupported', 'the server has no SFTP for this account', { cause: error }));
      else resolve(channel);
    });
  });
}
