import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, after, before, describe, test } from 'node:test';
import type { Connector } from '../core/connector.ts';
import { answerAfter, deadlines } from '../core/deadlines.ts';
import { isKind } from '../core/error.ts';
import { type Operation, capabilitiesOf, factsOf } from '../core/operations.ts';
import { collect } from '../kit/body/body.ts';
import { passingTime } from '../kit/testing/passing-time.ts';

/** A proxy between the connector and the server. */
interface Line {
  readonly port: number;
  connections(): number;
  hang(): void;
  hangAfterDown(bytes: number): void;
  isHung(): boolean;
  resume(): void;
  stop(): Promise<void>;
}

export interface HangingStage {
  stop(): Promise<void>;
  line(): Promise<Line>;
  /** Opens the server at that port, in the layers of a link with {@link permits} permits. */
  open(port: number): Promise<Connector>;
}

interface Traits {
  /** The server sends a greeting before any request. */
  readonly greets?: true;
  /** Data connections bypass the proxy: only the control connection hangs. */
  readonly controlOnly?: true;
  /** The server acknowledges the bytes of an upload piece by piece, and may hang between two pieces. */
  readonly acknowledges?: true;
}

/** Maximum number of concurrent calls of the link. */
export const permits = 2;
const never = new AbortController().signal;
const ask = { signal: never };
const size = 300_000;
/**
 * Milliseconds by which `passingTime` may overshoot, and for pauses between retries that take real time while mocked time passes quickly.
 */
const leeway = 3000;

async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!holds()) {
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The body of an upload whose last bytes arrive after the server has begun to hang. */
async function* hangingAtEnd(line: Line): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(size - 1000, 'sheaf');
  line.hang();
  yield Buffer.alloc(1000, 'sheaf');
}

const list = async (connector: Connector, folder: string) => (await Array.fromAsync(connector.list(folder, ask))).flat();
const write = (connector: Connector, path: string, body: AsyncGenerator<Uint8Array> | Uint8Array[]) =>
  connector.write?.(path, Readable.from(body, { objectMode: false }), { ...ask, ifExists: 'replace', size });

/** Calls each operation on an item below the folder. */
const calls: Readonly<Partial<Record<Operation, (connector: Connector, folder: string) => Promise<unknown> | undefined>>> = {
  list,
  stat: (connector, folder) => connector.stat(`${folder}/file`, ask),
  read: async (connector, folder) => collect(await connector.read(`${folder}/file`, ask)),
  write: (connector, folder) => write(connector, `${folder}/new`, [Buffer.alloc(size)]),
  createFolder: (connector, folder) => connector.createFolder?.(`${folder}/made`, ask),
  rename: (connector, folder) => connector.rename?.(`${folder}/file`, 'renamed', ask),
  move: (connector, folder) => connector.move?.(`${folder}/file`, `${folder}/moved`, ask),
  copy: (connector, folder) => connector.copy?.(`${folder}/file`, `${folder}/copied`, ask),
  remove: (connector, folder) => connector.remove?.(`${folder}/file`, ask),
  usage: (connector) => connector.usage?.(ask),
};

/** The longest time that a call may wait for a server that is silent from the beginning. */
function longestWait(operation: Operation): number {
  const { begin, upload } = factsOf(operation);
  // The remains of a failed change are cleaned up before its error is reported.
  return leeway + (upload ? upload.begin + deadlines.aside : (begin ?? deadlines.longWork + 2 * deadlines.aside));
}

/** Promises about servers that fall silent at any moment: a clear error in time, and no effect on later calls. */
export function hangsInTime(id: string, start: () => Promise<HangingStage>, { greets, controlOnly, acknowledges }: Traits = {}): void {
  describe(`${id} that hangs`, () => {
    let stage: HangingStage;
    let able: readonly Operation[] = [];
    let folders = 0;
    before(async () => {
      stage = await start();
    });
    after(() => stage.stop());

    /** Stops all timers, including those of `AbortSignal.timeout`. */
    function stoppedTime(t: TestContext): ReturnType<typeof passingTime> {
      const pass = passingTime(t);
      t.mock.method(AbortSignal, 'timeout', (ms: number) => {
        const over = new AbortController();
        setTimeout(() => over.abort(), ms);
        return over.signal;
      });
      return pass;
    }

    /** Opens a link through its own proxy, with a folder that contains files. */
    async function linked(t: TestContext) {
      const line = await stage.line();
      t.after(() => line.stop());
      const connector = await stage.open(line.port);
      able = capabilitiesOf(connector);
      const folder = `/hanging-${++folders}-${process.pid}`;
      await connector.createFolder?.(folder, ask);
      await write(connector, `${folder}/file`, [Buffer.alloc(size, 'sheaf')]);
      return { line, connector, folder };
    }

    /** Returns the time until the call fails. */
    async function failing(what: string, call: Promise<unknown> | undefined): Promise<number> {
      const began = performance.now();
      const [outcome] = await Promise.allSettled([call]);
      assert.equal(outcome.status, 'rejected', `${what} failed`);
      assert.ok(isKind(outcome.reason, 'timeout', 'interrupted'), `${what}: ${String(outcome.reason)}`);
      return performance.now() - began;
    }

    /** Asserts that all permits are free again, and that no connection outlives the link. */
    async function leavesNothing({ line, connector, folder }: Awaited<ReturnType<typeof linked>>): Promise<void> {
      line.resume();
      await Promise.all(Array.from({ length: permits }, () => list(connector, folder)));
      await connector.close();
      await until(() => line.connections() === 0, 'connections are left');
    }

    /** Starts every call at once, each over its own connections, to a server that hangs from then on. */
    async function allGivenUp(t: TestContext, prepare: (connector: Connector) => Promise<unknown>): Promise<void> {
      const pass = stoppedTime(t);
      const linkedTo = await linked(t);
      const { line, folder } = linkedTo;
      const asked = able.filter((operation) => calls[operation]);
      const connectors = await Promise.all(asked.map(() => stage.open(line.port)));
      await Promise.all(connectors.map(prepare));
      line.hang();
      const all = asked.map((operation, index) => {
        const call = connectors[index] && calls[operation]?.(connectors[index], folder);
        return failing(operation, call);
      });
      for (const [index, waited] of (await pass(Promise.all(all))).entries()) {
        const operation = asked[index] ?? assert.fail();
        assert.ok(waited <= longestWait(operation), `${operation} took ${waited} ms`);
      }
      line.resume();
      await Promise.all(connectors.map((connector) => connector.close()));
      await leavesNothing(linkedTo);
    }

    test('times out before its first word, in every operation', (t) => allGivenUp(t, async () => undefined));

    if (greets)
      test('times out after its greeting, within the time for a login, in every operation', async (t) => {
        const pass = stoppedTime(t);
        const linkedTo = await linked(t);
        const { line, folder } = linkedTo;
        for (const operation of able) {
          const call = calls[operation];
          if (!call) continue;
          const connector = await stage.open(line.port);
          line.hangAfterDown(4);
          const coming = call(connector, folder);
          coming?.catch(() => undefined);
          await until(line.isHung, 'the greeting has come');
          const waited = await pass(failing(operation, coming));
          assert.ok(waited <= deadlines.login + leeway, `${operation} took ${waited} ms`);
          line.resume();
          await connector.close();
        }
        await leavesNothing(linkedTo);
      });

    test('times out after a login, in every operation', (t) => allGivenUp(t, (connector) => connector.stat('/', ask)));

    test('times out in the middle of an answer', async (t) => {
      const pass = stoppedTime(t);
      const linkedTo = await linked(t);
      const { line, connector, folder } = linkedTo;
      line.hangAfterDown(20);
      const listing = list(connector, folder);
      listing.catch(() => undefined);
      await until(line.isHung, 'the listing has begun');
      const waited = await pass(failing('list', listing));
      assert.ok(waited <= 20_000 + leeway, `the listing took ${waited} ms`);
      line.resume();
      if (!controlOnly) {
        line.hangAfterDown(size / 2);
        const reading = connector.read(`${folder}/file`, ask).then(collect);
        reading.catch(() => undefined);
        await until(line.isHung, 'half the file has come');
        const silent = await pass(failing('read', reading));
        // One timeout of silence, and one request for the rest.
        assert.ok(silent <= deadlines.silence + deadlines.question + leeway, `the body took ${silent} ms`);
      }
      await leavesNothing(linkedTo);
    });

    test('times out after the last byte of an upload, and the old file stays', async (t) => {
      const pass = stoppedTime(t);
      const linkedTo = await linked(t);
      const { line, connector, folder } = linkedTo;
      const coming = write(connector, `${folder}/file`, hangingAtEnd(line));
      coming?.catch(() => undefined);
      await until(line.isHung, 'the last bytes have been read');
      const waited = await pass(failing('write', coming));
      const answer = acknowledges ? deadlines.silence : answerAfter(size);
      assert.ok(waited <= answer + deadlines.aside + leeway, `the upload took ${waited} ms`);
      line.resume();
      assert.equal((await collect(await connector.read(`${folder}/file`, ask))).length, size);
      await leavesNothing(linkedTo);
    });
  });
}
