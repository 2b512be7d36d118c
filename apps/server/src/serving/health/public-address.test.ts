import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { examineSurroundings } from '@sheaf/contract';
import { freePort, run, startProcess } from '@sheaf/testbed';
import { probePath } from '#/serving/health/probe-routes.ts';
import { testApp } from '#/testing/app.ts';
import { checks } from './checks.ts';

interface Proxy {
  /** Directives of the server block; `{port}` is the one to listen on, `{upstream}` the address of Sheaf. */
  readonly server: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly scheme?: 'http' | 'https';
}

/** Starts Sheaf behind an nginx of its own, and returns what its probe finds. */
async function behind(t: TestContext, { server, settings = {}, scheme = 'http' }: Proxy): Promise<string[]> {
  const [port, upstream] = [await freePort(), await freePort()];
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-nginx-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  if (scheme === 'https')
    await run(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost -keyout ${folder}/key -out ${folder}/cert`.split(
        ' ',
      ),
    );
  const filled = server.replaceAll('{port}', String(port)).replaceAll('{upstream}', `127.0.0.1:${upstream}`).replaceAll('{folder}', folder);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; user root; worker_processes 1; events {} http { access_log off;
     client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
     server { ${filled} } }`,
  );
  const nginx = await startProcess({
    command: 'nginx',
    args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
    ready: port,
    debianPackage: 'nginx',
  });
  t.after(() => nginx.stop());
  const app = await testApp(t, {
    settings: { SHEAF_PUBLIC_URL: `${scheme}://localhost:${port}`, SHEAF_TRUSTED_PROXIES: '127.0.0.1,::1', ...settings },
  });
  await app.app.listen({ host: '127.0.0.1', port: upstream });
  const boss = await app.signUp();
  const { problems } = await boss.ask(examineSurroundings, {});
  return problems.map(({ problem }) => problem);
}

/** The location block that deploy/proxy/nginx.conf recommends. */
async function recommended(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../../../../deploy/proxy/nginx.conf'), 'utf8');
  const [, block] = /\n {2}(location \/ \{[\s\S]*?\n {2}\})/.exec(text) ?? [];
  assert.ok(block);
  return block.replace('http://sheaf;', 'http://{upstream};');
}

test('the probe finds nothing wrong behind nginx with the configuration of the example', async (t) => {
  assert.deepEqual(await behind(t, { server: `listen 127.0.0.1:{port}; server_name localhost; ${await recommended()}` }), []);
});

test('an nginx that buffers answers or uploads, or limits bodies, is reported for just that', async (t) => {
  const server = `listen 127.0.0.1:{port}; location / { proxy_pass http://{upstream}; proxy_http_version 1.1; proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr; proxy_ignore_headers X-Accel-Buffering; proxy_buffering on;`;
  assert.deepEqual(await behind(t, { server: `${server} } ` }), ['proxyBodyLimit']);
  assert.deepEqual(await behind(t, { server: `${server} client_max_body_size 0; } ` }), ['proxyBuffersUploads']);
});

test('a proxy that holds answers back until they are complete is reported', async (t) => {
  const [port, upstream] = [await freePort(), await freePort()];
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, 'x-forwarded-for': '127.0.0.1' };
    const passed = httpRequest({ host: '127.0.0.1', port: upstream, method: request.method, path: request.url, headers }, (answer) => {
      void buffer(answer).then((body) => response.writeHead(answer.statusCode ?? 502, answer.headers).end(body));
    });
    request.pipe(passed);
  }).listen(port, '127.0.0.1');
  t.after(() => proxy.close());
  const settings = { SHEAF_PUBLIC_URL: `http://localhost:${port}`, SHEAF_TRUSTED_PROXIES: '127.0.0.1' };
  const { app, signUp } = await testApp(t, { settings });
  await app.listen({ host: '127.0.0.1', port: upstream });
  const { problems } = await (await signUp()).ask(examineSurroundings, {});
  assert.deepEqual(problems, [{ problem: 'proxyBuffersAnswers' }]);
});

test('host names and addresses that do not arrive, are not trusted, or are forged are each reported', async (t) => {
  const open = 'proxy_http_version 1.1; client_max_body_size 0; proxy_request_buffering off; proxy_buffering off;';
  const location = (headers: string) => `listen 127.0.0.1:{port}; location / { proxy_pass http://{upstream}; ${open} ${headers} }`;
  const passing = 'proxy_set_header Host $host;';
  assert.deepEqual(await behind(t, { server: location('proxy_set_header Host wrong.example;') }), ['proxyHost']);
  assert.deepEqual(
    await behind(t, {
      server: location(`${passing} proxy_set_header X-Forwarded-For $remote_addr;`),
      settings: { SHEAF_TRUSTED_PROXIES: '10.9.9.9' },
    }),
    ['proxyUntrusted'],
  );
  assert.deepEqual(
    await behind(t, { server: location(`${passing} proxy_set_header X-Forwarded-For "$http_x_forwarded_for, $remote_addr";`) }),
    ['proxyForged'],
  );
});

test('no server, another server, and a certificate that browsers refuse are reported as such', async (t) => {
  assert.deepEqual(await behind(t, { server: 'listen 127.0.0.1:{port}; return 200 hello;' }), ['publicOther']);
  assert.deepEqual(
    await behind(t, {
      scheme: 'https',
      server:
        'listen 127.0.0.1:{port} ssl; ssl_certificate {folder}/cert; ssl_certificate_key {folder}/key; location / { proxy_pass http://{upstream}; }',
    }),
    ['publicCertificate'],
  );
  const { signUp } = await testApp(t, { settings: { SHEAF_PUBLIC_URL: `http://localhost:${await freePort()}` } });
  const { problems } = await (await signUp()).ask(examineSurroundings, {});
  assert.deepEqual(problems, [{ problem: 'publicUnreachable', detail: 'ECONNREFUSED' }]);
});

test('the probe answers the installation itself only', async (t) => {
  const { app } = await testApp(t);
  const old = `1000000000.${'A'.repeat(43)}`;
  for (const headers of [{}, { 'x-sheaf-probe': 'guess' }, { 'x-sheaf-probe': old }]) {
    assert.equal((await app.inject({ method: 'GET', url: probePath, headers })).statusCode, 404);
    const body = { payload: 'x', headers: { ...headers, 'content-type': 'application/octet-stream' } };
    assert.equal((await app.inject({ method: 'POST', url: probePath, ...body })).statusCode, 404);
  }
});

test('every check has a title of its own', () => {
  assert.equal(new Set(checks.map(({ title }) => title)).size, checks.length);
});
