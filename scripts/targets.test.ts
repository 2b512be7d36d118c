import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runNpm } from './npm.ts';
import { cliTarget, serverChunks } from './targets.ts';

test('npm installs the packed command-line client, and its one file runs alone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-packed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const built = join(folder, 'built');
  await cliTarget(join(import.meta.dirname, '..'), built).build();
  const contents = execFileSync('tar', ['--list', '--gzip', '--file', 'sheaf-cli.tgz'], { cwd: built, encoding: 'utf8' });
  assert.deepEqual(contents.trim().split('\n').toSorted(), ['package/package.json', 'package/sheaf.mjs']);
  const home = mkdtempSync(join(folder, 'home-'));
  writeFileSync(join(home, 'package.json'), '{}');
  runNpm(home, 'install', '--offline', join(built, 'sheaf-cli.tgz'));
  assert.match(execFileSync(join(home, 'node_modules/.bin/sheaf'), ['--help'], { cwd: '/', encoding: 'utf8' }), /^sheaf sync /m);
});

/** Most bytes of code that the server reads before its first answer: each megabyte costs some 10 ms and 1 MiB of memory. */
const mostAtStart = 3_360_000;
/** Packages that it loads there. One that only some installations or calls need is imported by the function that needs it. */
const loadedAtStart = [
  '@fastify/accept-negotiator',
  '@fastify/error',
  '@fastify/forwarded',
  '@fastify/proxy-addr',
  '@fastify/send',
  '@fastify/static',
  '@lukeed/ms',
  '@pinojs/redact',
  'abstract-logging',
  'atomic-sleep',
  'avvio',
  'content-disposition',
  'depd',
  'escape-html',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-json-stringify',
  'fast-querystring',
  'fastify',
  'fastify-plugin',
  'fastq',
  'find-my-way',
  'http-errors',
  'inherits',
  'ipaddr.js',
  'kysely',
  'mime',
  'on-exit-leak-free',
  'pino',
  'pino-std-serializers',
  'process-warning',
  'quick-format-unescaped',
  'ret',
  'reusify',
  'rfdc',
  'safe-regex2',
  'safe-stable-stringify',
  'secure-json-parse',
  'semver',
  'setprototypeof',
  'sonic-boom',
  'statuses',
  'thread-stream',
  'toad-cache',
  'toidentifier',
  'typebox',
];

test('the server loads no more than it needs before its first answer', async () => {
  const chunks = new Map((await serverChunks(join(import.meta.dirname, '..'))).map((chunk) => [chunk.fileName, chunk]));
  const entry = chunks.get('server.cjs');
  assert.ok(entry);
  const eager = new Set([entry.fileName]);
  for (const name of eager) for (const imported of chunks.get(name)?.imports ?? []) if (chunks.has(imported)) eager.add(imported);
  for (const { fileName, code } of chunks.values()) assert.doesNotMatch(code, /\bawait import\(|=> import\(/, fileName);
  const loaded = [...eager].flatMap((name) => chunks.get(name) ?? []);
  const packages = loaded.flatMap(({ moduleIds }) =>
    moduleIds.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []),
  );
  assert.deepEqual([...new Set(packages)].toSorted(), loadedAtStart);
  const bytes = loaded.reduce((sum, { code }) => sum + code.length, 0);
  assert.ok(bytes <= mostAtStart, `${bytes} bytes`);
  assert.ok(bytes > mostAtStart * 0.8, `only ${bytes} bytes: lower the limit, so that it goes on holding what was gained`);
});
