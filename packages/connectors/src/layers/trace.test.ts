import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connector } from '../core/connector.ts';
import { ConnectorError } from '../core/error.ts';
import { serveHttp } from '../kit/testing/http-server.ts';
import { layered } from './layered.ts';
import { type Trace, trace } from './trace.ts';

const signal = AbortSignal.timeout(20_000);

test("the error of a call carries the service's id of the request that it refused, and of no other call's", async () => {
  const { client, close } = await serveHttp((request, response) => {
    const [, status, id] = request.url?.split('/') ?? [];
    response.setHeader('x-amz-request-id', decodeURIComponent(id ?? ''));
    response.statusCode = Number(status);
    response.end();
  });
  const traces: Trace[] = [];
  const connector = layered(
    {
      async stat(path: string) {
        const answer = await client.request({ method: 'GET', path, signal });
        await answer.discard();
        if (answer.status !== 200) throw new ConnectorError('unexpected', `the server answered ${answer.status}`);
        return { name: 'a', kind: 'file' };
      },
      close: async () => undefined,
    } as unknown as Connector,
    trace(() => (one) => traces.push(one)),
  );
  const idOf = async (path: string): Promise<unknown> => {
    try {
      await connector.stat(path, { signal });
      return 'no error';
    } catch (error) {
      return (error as { serviceRequestId?: string }).serviceRequestId;
    }
  };
  try {
    const ids = await Promise.all([
      idOf('/503/4TX9'),
      idOf('/403/B7Q='),
      idOf('/200/never'),
      idOf('/500/a%20b%22'),
      idOf(`/500/${'x'.repeat(129)}`),
    ]);
    assert.deepEqual(ids, ['4TX9', 'B7Q=', 'no error', undefined, undefined]);
    // A success has no error to carry the id: only observers of the calls get it.
    assert.deepEqual(new Set(traces.map(({ serviceRequestId }) => serviceRequestId)), new Set(['4TX9', 'B7Q=', 'never', undefined]));
    assert.deepEqual(new Set(traces.map(({ outcome }) => outcome)), new Set(['ok', 'unexpected']));
  } finally {
    close();
  }
});

test("a listing that is refused at a later page carries the service's id of that page", async () => {
  const { client, close } = await serveHttp((request, response) => {
    const page = Number(request.url?.slice(1));
    response.setHeader('x-amz-request-id', `page-${page}`);
    response.statusCode = page < 3 ? 200 : 503;
    response.end();
  });
  const traces: Trace[] = [];
  const connector = layered(
    {
      async *list() {
        for (let page = 1; ; page += 1) {
          const answer = await client.request({ method: 'GET', path: `/${page}`, signal });
          await answer.discard();
          if (answer.status !== 200) throw new ConnectorError('failed', `the server answered ${answer.status}`);
          yield [{ name: `${page}`, kind: 'file' }];
        }
      },
      close: async () => undefined,
    } as unknown as Connector,
    trace(() => (one) => traces.push(one)),
  );
  try {
    const listing = async () => {
      for await (const batch of connector.list('/', { signal })) assert.equal(batch.length, 1);
    };
    await assert.rejects(listing, { kind: 'failed', serviceRequestId: 'page-3' });
    assert.deepEqual(
      traces.map(({ outcome, serviceRequestId }) => [outcome, serviceRequestId]),
      [['failed', 'page-3']],
    );
  } finally {
    close();
  }
});
