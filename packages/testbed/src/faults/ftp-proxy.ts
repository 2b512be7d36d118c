import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { PassThrough, Transform } from 'node:stream';
import { type CutPlan, createCutPlan } from './cuts.ts';

/** A proxy in front of an FTP server on 127.0.0.1, including its data connections. */
export interface FtpProxy {
  readonly port: number;
  /** Cuts of data connections; control connections are not affected. */
  readonly cuts: Pick<CutPlan, 'arm' | 'remaining'>;
  /** Passes this many bytes to the server over all data connections, and then nothing more. */
  hangAfterUp(bytesUp: number): void;
  /** Bytes sent to the server over all data connections. */
  bytesUp(): number;
  /** Breaks every open connection; new ones work. */
  cut(): void;
  stop(): Promise<void>;
}

/** Replies that name the port of the next data connection: RFC 2428, section 3, and RFC 959, section 4.1.2. */
const extended = /^229 .*\(\|\|\|(\d+)\|\)/;
const passive = /^227 .*?(\d+,\d+,\d+,\d+),(\d+),(\d+)/;

/** Starts a proxy for the server at `port`. Control connections must be unencrypted: the proxy substitutes its own data ports. */
export async function startFtpProxy({ port: serverPort }: { readonly port: number }): Promise<FtpProxy> {
  const sockets = new Set<Socket>();
  const servers = new Set<Server>();
  const cuts = createCutPlan();
  let left = Number.POSITIVE_INFINITY;
  let up = 0;

  /** Connects to the server's port; `passing` observes the bytes from the server, `sending` the bytes to it. */
  function join(down: Socket, port: number, passing: (cut: () => void) => Transform, sending = new PassThrough()): void {
    const up = connect({ host: '127.0.0.1', port, noDelay: true });
    const part = (): void => {
      down.resetAndDestroy();
      up.destroy();
    };
    for (const socket of [down, up]) {
      sockets.add(socket);
      socket.on('error', part).on('close', () => sockets.delete(socket));
    }
    down.pipe(sending).pipe(up);
    up.pipe(passing(part)).pipe(down);
  }

  async function listen(onSocket: (socket: Socket) => void): Promise<{ readonly server: Server; readonly port: number }> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, onSocket);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.add(server);
    return { server, port: (server.address() as AddressInfo).port };
  }

  /** Opens a proxy port for one data connection. */
  async function dataPort(target: number): Promise<number> {
    const { server, port } = await listen((down) => {
      server.close();
      servers.delete(server);
      join(down, target, cutting, hanging());
    });
    return port;
  }

  const cutting = (cut: () => void): Transform =>
    new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        if (await cuts.passes(chunk.byteLength)) cut();
        else done(null, chunk);
      },
    });

  const hanging = (): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        left -= chunk.byteLength;
        up += chunk.byteLength;
        if (left > 0) done(null, chunk);
      },
    });

  /** Replaces the ports in replies, line by line. */
  function rewriting(): Transform {
    let rest = '';
    return new Transform({
      async transform(chunk: Buffer, _encoding, done) {
        const lines = (rest + chunk.toString('latin1')).split('\n');
        rest = lines.pop() ?? '';
        const sent = await Promise.all(lines.map(withOwnPort));
        done(null, Buffer.from(sent.map((line) => `${line}\n`).join(''), 'latin1'));
      },
      flush: (done) => done(null, Buffer.from(rest, 'latin1')),
    });
  }

  async function withOwnPort(line: string): Promise<string> {
    const [, named] = extended.exec(line) ?? [];
    if (named !== undefined) return line.replace(`|||${named}|`, `|||${await dataPort(Number(named))}|`);
    const [, host = '', high, low] = passive.exec(line) ?? [];
    if (high === undefined || low === undefined) return line;
    const port = await dataPort(Number(high) * 256 + Number(low));
    return line.replace(`${host},${high},${low}`, `${host},${port >> 8},${port & 255}`);
  }

  const { port } = await listen((down) => join(down, serverPort, rewriting));
  return {
    port,
    cuts,
    hangAfterUp(bytesUp) {
      left = bytesUp;
    },
    bytesUp: () => up,
    cut() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([...servers].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
