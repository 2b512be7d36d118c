import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { type CutPlan, createCutPlan } from './cuts.ts';

interface Target {
  readonly host?: string;
  readonly port: number;
}

/** A TCP proxy on 127.0.0.1 that injects faults. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** Number of open connections, and of all connections ever made. */
  connections(): number;
  connectionsEver(): number;
  /** Maximum number of concurrent connections. */
  connectionsPeak(): number;
  /** Bytes sent to the server, and received from it. */
  bytesUp(): number;
  bytesDown(): number;
  /** Breaks every open connection; new ones work. */
  cut(): void;
  /** From now on breaks each connection after this many bytes from the server; `undefined` stops that. */
  cutAfter(bytesDown: number | undefined): void;
  /** Breaks single connections at given distances. */
  readonly cuts: Pick<CutPlan, 'arm' | 'remaining'>;
  /** Stops forwarding in both directions; connections stay open. */
  hang(): void;
  /** Hangs once this many bytes have been sent to the server, counted as by `bytesUp`. */
  hangAfterUp(bytesUp: number): void;
  /** Hangs once this many bytes have come from the server, counted from now; the last of them may be in the middle of an answer. */
  hangAfterDown(bytesDown: number): void;
  isHung(): boolean;
  /** Lets everything pass again, what waited too. */
  resume(): void;
  /** Delays every byte by this many ms in each direction: half a round trip. Does not limit bandwidth. Change it only while nothing is in transit. */
  delay(ms: number): void;
  stop(): Promise<void>;
}

/** Starts a proxy before `target`. */
export async function startProxy({ target }: { readonly target: Target }): Promise<Proxy> {
  const cuts = createCutPlan();
  const pairs = new Set<{ readonly down: Socket; readonly up: Socket }>();
  const state = {
    up: 0,
    down: 0,
    ever: 0,
    peak: 0,
    latency: 0,
    cutAfter: Number.POSITIVE_INFINITY,
    waiting: new Set<() => void>(),
    hung: false,
    hangAfter: Number.POSITIVE_INFINITY,
    hangAtDown: Number.POSITIVE_INFINITY,
  };

  /** Holds chunks back while the proxy hangs, and delays them by the latency without narrowing the line. */
  function line(
    onBytes: (count: number) => void,
    isCut: (count: number) => Promise<boolean> | false = () => false,
    beforeHang: () => number = () => Number.POSITIVE_INFINITY,
  ): Transform {
    let pending = 0;
    let ended: (() => void) | undefined;
    const forward = (stream: Transform, chunk: Buffer) => {
      stream.push(chunk);
      pending -= 1;
      if (pending === 0) ended?.();
    };
    return new Transform({
      highWaterMark: 16 * 1024 * 1024,
      transform(chunk: Buffer, _encoding, done: TransformCallback) {
        const pass = (part: Buffer) => {
          onBytes(part.byteLength);
          pending += 1;
          if (state.latency === 0) forward(this, part);
          else setTimeout(() => forward(this, part), state.latency);
        };
        const passFrom = (start: number) => {
          pass(chunk.subarray(start));
          done();
        };
        const passOrWait = () => {
          const room = beforeHang();
          if (state.hung) state.waiting.add(() => passFrom(0));
          else if (room >= chunk.byteLength) passFrom(0);
          else {
            if (room > 0) pass(chunk.subarray(0, room));
            state.hung = true;
            state.waiting.add(() => passFrom(room));
          }
        };
        const cut = isCut(chunk.byteLength);
        if (cut) void cut.then((isTrue) => (isTrue ? undefined : passOrWait()), done);
        else passOrWait();
      },
      flush(done) {
        if (pending === 0) done();
        else ended = done;
      },
    });
  }

  async function cutOff(part: () => void, coming: Promise<boolean>): Promise<boolean> {
    const isCut = await coming;
    if (isCut) part();
    return isCut;
  }

  // Each direction ends separately: data sent before an orderly end still arrives.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (down) => {
    const up = connect({ host: target.host ?? '127.0.0.1', port: target.port, noDelay: true, allowHalfOpen: true });
    const pair = { down, up };
    pairs.add(pair);
    state.ever += 1;
    state.peak = Math.max(state.peak, pairs.size);
    const part = () => {
      pairs.delete(pair);
      down.destroy();
      up.destroy();
    };
    for (const socket of [down, up]) socket.on('error', part).on('close', () => void (down.closed && up.closed && pairs.delete(pair)));
    let came = 0;
    const countUp = (count: number): void => {
      state.up += count;
      if (state.up >= state.hangAfter) state.hung = true;
    };
    down.pipe(line(countUp)).pipe(up);
    up.pipe(
      line(
        (count) => {
          state.down += count;
          came += count;
          if (came >= state.cutAfter) part();
        },
        (bytes) => {
          const coming = cuts.passes(bytes);
          return coming && cutOff(part, coming);
        },
        () => state.hangAtDown - state.down,
      ),
    ).pipe(down);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    cuts,
    connections: () => pairs.size,
    connectionsEver: () => state.ever,
    connectionsPeak: () => state.peak,
    bytesUp: () => state.up,
    bytesDown: () => state.down,
    cut() {
      for (const { down, up } of pairs) {
        down.resetAndDestroy();
        up.resetAndDestroy();
      }
    },
    cutAfter(bytes) {
      state.cutAfter = bytes ?? Number.POSITIVE_INFINITY;
    },
    hang() {
      state.hung = true;
    },
    hangAfterUp(bytesUp) {
      state.hangAfter = bytesUp;
    },
    hangAfterDown(bytesDown) {
      state.hangAtDown = state.down + bytesDown;
    },
    isHung: () => state.hung,
    resume() {
      state.hangAfter = Number.POSITIVE_INFINITY;
      state.hangAtDown = Number.POSITIVE_INFINITY;
      state.hung = false;
      const waiting = [...state.waiting];
      state.waiting.clear();
      for (const pass of waiting) pass();
    },
    delay(ms) {
      state.latency = ms;
    },
    async stop() {
      for (const { down, up } of pairs) {
        down.destroy();
        up.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}
