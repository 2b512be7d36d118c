import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fastify } from 'fastify';
import { packBundle, writeSums } from '../../../../../scripts/client-bundles.ts';
import { downloadRoutes } from './routes.ts';

const root = join(import.meta.dirname, '../../../../..');
/** All that a computer needs for the client; no Node, no npm. */
const tools = [
  'cat',
  'curl',
  'cut',
  'dirname',
  'grep',
  'gzip',
  'ln',
  'mkdir',
  'mktemp',
  'mv',
  'readlink',
  'rm',
  'sh',
  'sha256sum',
  'tar',
  'uname',
];

/** A program that says with what it was called, as the command line is too large for a test. */
const program = `if (process.argv[2] === '--version') console.log('1.2.3'); else console.log(process.execPath, ...process.argv.slice(2));`;

/** A server with the bundle of this computer, and an empty home. */
async function offering(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-installed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [bundles, home, bin] = [join(folder, 'bundles'), join(folder, 'home'), join(folder, 'bin')];
  for (const one of [bundles, home, bin]) await mkdir(one);
  for (const tool of tools) await symlink(await which(tool), join(bin, tool));
  await writeFile(join(folder, 'program.mjs'), program);
  const parts = { name: `linux-${process.arch}`, node: join(root, 'node_modules/node/bin/node'), program: join(folder, 'program.mjs') };
  const bundle = join(bundles, packBundle(parts, bundles, 1));
  writeSums(bundles);
  const app = fastify();
  t.after(() => app.close());
  app.decorate('publicOrigin', '');
  const { privateKey } = generateKeyPairSync('ed25519');
  downloadRoutes(app, { file: join(folder, 'sheaf-cli.tgz'), bundles, signingKey: () => privateKey });
  app.publicOrigin = await app.listen({ host: '127.0.0.1', port: 0 });
  const script = async (): Promise<string> => (await fetch(`${app.publicOrigin}/client/install.sh`)).text();
  return { bundle, bundles, home, script, run: (...command: readonly string[]) => run(bin, home, command) };
}

function which(tool: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', `command -v ${tool}`], (error, out) => (error ? reject(error) : resolve(out.trim())));
  });
}

/** Runs a command with nothing but the tools on its path, and nothing else in its environment. */
function run(bin: string, home: string, [file = '', ...args]: readonly string[]) {
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(file, args, { env: { PATH: bin, HOME: home } }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });
}

test('one line installs the client on a computer without Node, again over an older one, and it runs by itself', async (t) => {
  const { home, script, run } = await offering(t);
  for (const round of [1, 2]) {
    const { code, out, err } = await run('sh', '-c', await script());
    assert.equal(code, 0, err);
    assert.match(out, /Installed sheaf 1\.2\.3 as .*\/home\/\.local\/bin\/sheaf\n/, `round ${round}`);
    assert.match(out, /export PATH="\$HOME\/\.local\/bin:\$PATH"\n/);
  }
  const own = join(home, '.local/share/sheaf');
  const { out } = await run(join(home, '.local/bin/sheaf'), 'ls', 'a link/with blanks', "it's");
  assert.equal(out, `${join(own, 'lib/node')} ls a link/with blanks it's\n`);
  assert.deepEqual(await readdir(join(home, '.local/share')), ['sheaf']);
});

test('a bundle with another checksum is not installed, and half a script does nothing', async (t) => {
  const { bundle, home, script, run } = await offering(t);
  const text = await script();
  for (const part of [0.3, 0.6, 0.95]) {
    await run('sh', '-c', text.slice(0, text.length * part));
    assert.deepEqual(await readdir(home), [], `after ${part} of the script`);
  }
  await appendFile(bundle, 'more');
  const { code, err } = await run('sh', '-c', text);
  assert.deepEqual([code, err], [1, 'What came is not what this Sheaf offers. Nothing was installed.\n']);
  assert.deepEqual(await readdir(join(home, '.local/share')), []);
});

test('the bundle of Windows has what its script starts', async (t) => {
  const { bundles, script } = await offering(t);
  const file = join(bundles, 'program.mjs');
  await writeFile(file, program);
  const name = packBundle({ name: 'win32-x64', node: file, program: file }, bundles, 1);
  const listed = await new Promise<string>((resolve, reject) => {
    execFile('tar', ['-tzf', join(bundles, name)], (error, out) => (error ? reject(error) : resolve(out)));
  });
  assert.deepEqual(
    listed.split('\n').filter((line) => !line.endsWith('/') && line !== ''),
    ['sheaf/bin/sheaf.cmd', 'sheaf/lib/node.exe', 'sheaf/lib/sheaf.mjs'],
  );
  writeSums(bundles);
  assert.match(await readFile(join(bundles, 'SHA256SUMS'), 'utf8'), /^[\da-f]{64} {2}sheaf-win32-x64\.tar\.gz$/m);
  const windows = await fetch((/^server='(.*)'$/m.exec(await script())?.[1] ?? '') + '/client/install.ps1');
  const [bySums] = /^[\da-f]{64}(?= {2}sheaf-win32)/m.exec(await readFile(join(bundles, 'SHA256SUMS'), 'utf8')) ?? [];
  assert.ok((await windows.text()).includes(`$wanted = '${bySums}'\r\n`));
});
