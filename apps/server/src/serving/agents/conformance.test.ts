import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { allowAgent } from '@sheaf/contract';
import { freePort, run, spawnOwned, tempDir } from '@sheaf/testbed';
import { agentApp } from './testing/agent-app.ts';
import { letIn } from './testing/agent-client.ts';

const suite = join(import.meta.dirname, '../../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/**
 * The public scenarios that any server has to pass, whatever its tools, with the revision. The others call tools, prompts and resources by fixed names, which only
 * a server made for the suite has.
 */
const scenarios = [
  ['server-initialize', '2025-11-25'],
  ['tools-list', '2025-11-25'],
  ['dns-rebinding-protection', '2025-11-25'],
  ['server-stateless', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
] as const;

/** A check of a scenario, as the suite writes it. */
interface Result {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}
/** Checks within a scenario that need a tool made for the suite. */
const isAboutItsOwnTools = ({ errorMessage = '' }: Result): boolean =>
  errorMessage.startsWith('Not testable: server does not list the diagnostic tool');

/** The checks that a run of the suite has written to a folder. */
async function resultsIn(folder: string): Promise<Result[]> {
  const files = globSync(`${folder}/*/checks.json`);
  return (await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Result[]))).flat();
}

/** The suite cannot sign in: this sends its requests on with a token, under the server's own name, and changes nothing else. */
async function signedIn(t: TestContext, url: string, token: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const own = `http://${incoming.headers.host}`;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    if (incoming.headers.origin === own) headers.origin = url;
    const onward = ask(url + (incoming.url ?? ''), { method: incoming.method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the public conformance suite of MCP passes, for the revision of 2026 and the one before', async (t) => {
  const { url, user } = await agentApp(t);
  const { agent, close } = await letIn(url, user, { linkUri: [], rights: 'write' });
  t.after(close);
  const through = await signedIn(t, url, agent.tokens()?.access_token ?? '');
  const folder = await tempDir('mcp-conformance');
  t.after(() => folder.remove());
  for (const [name, version] of scenarios) {
    const out = join(folder.path, `${name}-${version}`);
    const args = ['server', '--url', `${through}/mcp`, '--scenario', name, '--spec-version', version, '-o', out];
    // It ends with 1 also for checks that it cannot make here.
    await run(process.execPath, [suite, ...args], { cwd: folder.path }).catch(() => undefined);
    const results = await resultsIn(out);
    const failed = results.filter((result) => result.status === 'FAILURE' && !isAboutItsOwnTools(result));
    assert.deepEqual(failed, [], name);
    assert.ok(
      results.some(({ status }) => status === 'SUCCESS'),
      name,
    );
    if (name === 'server-stateless') assert.ok(results.filter(({ status }) => status === 'SUCCESS').length >= 20);
  }
});

for (const version of ['2025-11-25', '2026-07-28'])
  test(`the public conformance suite of MCP passes for the authorization server, for the revision ${version}`, async (t) => {
    const { url, user } = await agentApp(t);
    const { path: folder, remove } = await tempDir('mcp-authorization');
    t.after(() => remove());
    const port = await freePort();
    const description = { client_name: 'Conformance', redirect_uris: [`http://127.0.0.1:${port}/callback`] };
    const registered = await fetch(`${url}/agents/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...description, token_endpoint_auth_method: 'none' }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const asked = ['--url', url, '--client-id', clientId, '--resource', `${url}/mcp`, '--port', String(port)];
    const program = spawnOwned(process.execPath, [suite, 'authorization', ...asked, '--spec-version', version, '-o', folder], {});
    t.after(() => program.kill());
    const ended = once(program, 'close');
    let said = '';
    let isAnswered = false;
    for await (const text of program.stdout?.setEncoding('utf8') ?? assert.fail()) {
      said += String(text);
      // It prints the address that a person's browser is to open, and says when it listens for the answer.
      const [page] = /^http\S+(?=\n)/m.exec(said) ?? [];
      if (isAnswered || page === undefined || !said.includes('Callback server started')) continue;
      isAnswered = true;
      const { redirectUrl } = await user.ask(allowAgent, { query: new URL(page).search, linkUri: [], rights: 'write' });
      assert.equal((await fetch(redirectUrl)).status, 200);
    }
    await ended;
    const results = await resultsIn(folder);
    assert.deepEqual(
      results.filter(({ status }) => status !== 'SUCCESS'),
      [],
      said,
    );
    assert.deepEqual(results.map(({ id }) => id).toSorted(), [
      'authorization-code-grant',
      'authorization-server-metadata',
      'authorization-server-metadata-cimd',
    ]);
  });
