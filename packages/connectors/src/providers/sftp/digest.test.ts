import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startOpenssh } from '@sheaf/testbed';
import { resumableUploadsOf } from '../../core/operations.ts';
import { openKnownSftp } from './connector.ts';
import { digestAt } from './digest.ts';
import type { Ran } from './session/exec.ts';
import { openTestLink, testLinkOf } from './testing/link.ts';

type Options = Parameters<typeof startOpenssh>[0];

const signal = AbortSignal.timeout(60_000);
const sha256 = (bytes: string): string => hash('sha256', bytes, 'hex');

async function linked(t: TestContext, options?: Options, info: Readonly<Record<string, string>> = {}) {
  const server = await startOpenssh(options);
  t.after(() => server.stop());
  const memory = new Map<string, string>();
  const connector = openTestLink(server, { memory, info });
  t.after(() => connector.close());
  const digest = (path: string, size = 5) => connector.digest?.(path, { signal, size });
  return { server, memory, digest };
}

test('a server with a shell hashes a file, whatever its name means to a shell, and the link stores the command', async (t) => {
  const { server, memory, digest } = await linked(t);
  const names = ['plain', ' with  spaces ', "it's", '"; echo owned; "', '$(id)`id`', 'line\nbreak', 'back\\slash', '-rf', '*', 'ü'];
  await Promise.all(names.map((name) => writeFile(join(server.home, name), name)));
  for (const name of names) assert.deepEqual(await digest(`/${name}`), { sha256: sha256(name) }, name);
  await writeFile(Buffer.concat([Buffer.from(`${server.home}/bytes`), Buffer.from([0xff])]), 'odd');
  assert.deepEqual(await digest('/bytes\u{10feff}'), { sha256: sha256('odd') });
  assert.equal(memory.get('digest'), 'xargs -0 openssl dgst -sha256 -r');
  // A missing file does not show whether the server has the command.
  assert.equal(await digest('/missing'), undefined);
  assert.equal(memory.get('digest'), 'xargs -0 openssl dgst -sha256 -r');
});

test('the hash is that of the file below the start folder of the link', async (t) => {
  const { server, digest } = await linked(t, {}, { path: 'inside' });
  await mkdir(join(server.home, 'inside'));
  await writeFile(join(server.home, 'inside/file'), 'inner');
  await writeFile(join(server.home, 'file'), 'outer');
  assert.deepEqual(await digest('/file'), { sha256: sha256('inner') });
});

test('an SFTP-only server hashes nothing, stays usable, and is not asked again', async (t) => {
  const { server, memory, digest } = await linked(t, { forcedCommand: 'internal-sftp' });
  await writeFile(join(server.home, 'file'), 'bytes');
  assert.equal(await digest('/file'), undefined);
  assert.equal(memory.get('digest'), 'none');
  const { config, env } = testLinkOf(server, memory);
  const again = await openKnownSftp(config, env);
  t.after(() => again.close());
  assert.equal((await again.stat('/file', { signal })).size, 5);
  assert.equal(again.digest, undefined);
});

interface Case {
  readonly answers: readonly (Ran | undefined)[];
  readonly known?: string;
}

/** Runs `digestAt` on a server that gives these answers. */
async function asked({ answers, known }: Case) {
  const commands: string[] = [];
  const run = async (command: string): Promise<Ran | undefined> => answers[commands.push(command) - 1];
  const found = await digestAt({ run }, { path: Buffer.from('/file'), size: 5, known, signal });
  return { ...found, commands };
}

const line = `${sha256('bytes')}  /file\n`;

test('the other commands are tried where the first is missing; output of a login script is ignored', async () => {
  const answers = [
    { code: 127, output: '' },
    { code: 126, output: '' },
    { code: 0, output: `Welcome!\n${line}` },
  ];
  const found = await asked({ answers });
  assert.deepEqual(found.hashes, { sha256: sha256('bytes') });
  assert.deepEqual([found.known, found.commands.length], ['xargs -0 shasum -a 256', 3]);
});

test('a file that cannot be read, a channel that is refused and an end by a signal are distinguished', async () => {
  assert.equal((await asked({ answers: [{ code: 123, output: '' }] })).known, undefined);
  assert.equal((await asked({ answers: [undefined] })).known, undefined);
  for (const code of [127, undefined]) {
    const nothing = { code, output: '' };
    assert.equal((await asked({ answers: [nothing, nothing, nothing] })).known, 'none');
  }
});

test('a stored command that is not in our list is not run', async () => {
  const found = await asked({ answers: [{ code: 0, output: line }], known: 'rm -rf /' });
  assert.deepEqual([found.hashes, found.known, found.commands], [undefined, 'none', []]);
});

test('an abort ends the command, and rejects with no other error', async (t) => {
  const { server } = await linked(t);
  await writeFile(join(server.home, 'file'), 'bytes');
  const connector = openTestLink(server);
  t.after(() => connector.close());
  await connector.stat('/file', { signal });
  const given = AbortSignal.abort();
  await assert.rejects(async () => connector.digest?.('/file', { signal: given, size: 5 }), { kind: 'aborted' });
});

const part = 16 * 1024 * 1024;

/** Sends a file in parts to a server that has shown that it hashes; another process goes on after the first part, `between` them. */
async function sentInParts(
  t: TestContext,
  { folder = 'folder', between }: { folder?: string; between?: (partial: string) => Promise<void> },
) {
  const server = await startOpenssh();
  t.after(() => server.stop());
  const memory = new Map([['digest', 'xargs -0 openssl dgst -sha256 -r']]);
  const opened = async () => {
    const { config, env } = testLinkOf(server, memory);
    const connector = await openKnownSftp(config, env);
    t.after(() => connector.close());
    return { connector, uploads: resumableUploadsOf(connector) ?? assert.fail() };
  };
  const path = `/${folder}/file`;
  const first = await opened();
  await first.connector.createFolder?.(`/${folder}`, { signal });
  const next = between ? await opened() : first;
  const bytes = randomBytes(2 * part + 12_345);
  const ask = { signal, size: bytes.length, ifExists: 'fail' as const };
  const { session } = await first.uploads.beginUpload(path, ask);
  const [partial = ''] = await readdir(join(server.home, folder));
  for (let offset = 0; offset < bytes.length; offset += part) {
    const piece = bytes.subarray(offset, offset + part);
    const { uploads } = offset === 0 ? first : next;
    await uploads.sendPart(path, Readable.from([piece]), { signal, session, offset, size: piece.length, digest: true });
    if (offset === 0) await between?.(join(server.home, folder, partial));
  }
  const hashes = { sha256: hash('sha256', bytes, 'hex') };
  const { proof } = await next.uploads.finishUpload(path, { ...ask, session, parts: [], hashes });
  return { proof, sent: hashes.sha256, stored: await next.connector.digest?.(path, { signal, size: bytes.length }) };
}

for (const folder of [' with  spaces ', '"; echo owned; "', '$(id)`id`', 'back\\slash', '-rf', '*'])
  test(`a file in a folder named ${folder} is hashed by the server while it is sent`, async (t) => {
    const { proof, sent } = await sentInParts(t, { folder });
    assert.deepEqual(proof, { algorithm: 'sha256', computed: sent, stored: sent });
  });

test('after another process has gone on with a file, the server hashes all of it', async (t) => {
  const { proof, sent, stored } = await sentInParts(t, { between: async () => undefined });
  assert.deepEqual([proof?.stored, stored], [sent, { sha256: sent }]);
});

test('a file that was damaged at the server is not proven by the hash of what was sent', async (t) => {
  const damage = async (partial: string): Promise<void> => {
    const file = await open(partial, 'r+');
    await file.write(Buffer.from('damaged'), 0, 7, 5);
    await file.close();
  };
  const { proof, sent, stored } = await sentInParts(t, { between: damage });
  assert.equal(proof, undefined);
  assert.notEqual(stored?.sha256, sent);
});

test('a file in a folder with a line break in its name is hashed when it is complete', async (t) => {
  const { proof, sent, stored } = await sentInParts(t, { folder: 'line\nbreak' });
  assert.deepEqual([proof, stored], [undefined, { sha256: sent }]);
});
