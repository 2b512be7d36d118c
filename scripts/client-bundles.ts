/**
 * Builds the client for computers: `npm run client`, or `npm run client -- linux-x64` for some of them. Each bundle is an archive with the command line and
 * the Node that runs it, so that nothing has to be installed before it; the server offers what lies in dist/clients. The Node is the npm package
 * of the pinned version, checked against the integrity in client-runtimes.ts.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './built.ts';
import { type Runtime, runtimes } from './client-runtimes.ts';
import { runNpm } from './npm.ts';
import { cliTarget } from './targets.ts';

const root = join(import.meta.dirname, '..');

/** Starts the program by the Node beside it, wherever the folder lies and whatever link leads to it. */
const posixLauncher = `#!/bin/sh
file=$0
while [ -h "$file" ]; do
  target=$(readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=$(dirname "$file")/$target ;;
  esac
done
folder=$(cd "$(dirname "$file")/.." && pwd)
exec "$folder/lib/node" "$folder/lib/sheaf.mjs" "$@"
`;
const windowsLauncher = '@echo off\r\n"%~dp0..\\lib\\node.exe" "%~dp0..\\lib\\sheaf.mjs" %*\r\n';

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}

/** Fetches a runtime's package into a folder and unpacks it there; returns the folder of its files. Throws when it is not the pinned one. */
function fetchRuntime({ package: name, integrity }: Runtime, folder: string, version: string): string {
  const file = join(folder, runNpm(folder, 'pack', '--silent', `${name}@${version}`).trim().split('\n').at(-1) ?? '');
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name}@${version} is not what scripts/client-runtimes.ts pins: ${found}`);
  run('tar', '-xzf', file, '-C', folder);
  return join(folder, 'package');
}

interface Parts {
  /** Operating system and processor. */
  readonly name: string;
  /** The Node for it, and its licence if it comes with one. */
  readonly node: string;
  readonly license?: string;
  /** The command line in one file. */
  readonly program: string;
}

/** Makes the bundle of one kind of computer in `to`; returns its file name. `level` is that of gzip. */
export function packBundle({ name, node, license, program }: Parts, to: string, level = 9): string {
  const work = mkdtempSync(join(tmpdir(), 'sheaf-client-'));
  try {
    const folder = join(work, 'sheaf');
    for (const part of ['bin', 'lib']) mkdirSync(join(folder, part), { recursive: true });
    const isWindows = name.startsWith('win32');
    const launcher = join(folder, 'bin', isWindows ? 'sheaf.cmd' : 'sheaf');
    writeFileSync(launcher, isWindows ? windowsLauncher : posixLauncher);
    const runtime = join(folder, 'lib', isWindows ? 'node.exe' : 'node');
    copyFileSync(node, runtime);
    for (const file of [launcher, runtime]) chmodSync(file, 0o755);
    copyFileSync(program, join(folder, 'lib/sheaf.mjs'));
    if (license !== undefined) copyFileSync(license, join(folder, 'LICENSE-node'));
    const tar = join(work, 'sheaf.tar');
    // The same content gives the same archive, whoever builds it.
    run('tar', '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '-C', work, '-cf', tar, 'sheaf');
    run('gzip', '-n', `-${level}`, tar);
    const file = `sheaf-${name}.tar.gz`;
    copyFileSync(`${tar}.gz`, join(to, file));
    return file;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes the checksums of the bundles in a folder, as `sha256sum` prints them. */
export function writeSums(folder: string): void {
  const sums = readdirSync(folder)
    .filter((name) => name.endsWith('.tar.gz'))
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/** Builds the bundles of these computers into `to`, beside those that are there, with the checksums of all; without names those of all computers. */
async function buildBundles(names: readonly string[], to: string): Promise<void> {
  const chosen = names.length === 0 ? runtimes : runtimes.filter(({ name }) => names.includes(name));
  const unknown = names.filter((name) => !runtimes.some((runtime) => runtime.name === name));
  if (unknown.length > 0)
    throw new Error(`no such computer: ${unknown.join(', ')}; there are ${runtimes.map(({ name }) => name).join(', ')}`);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: { readonly node: string };
  };
  await ensureBuilt(root, cliTarget(root));
  mkdirSync(to, { recursive: true });
  for (const runtime of chosen) {
    const fetched = mkdtempSync(join(tmpdir(), 'sheaf-runtime-'));
    try {
      const unpacked = fetchRuntime(runtime, fetched, dependencies.node);
      const license = join(unpacked, 'LICENSE');
      const parts = { name: runtime.name, node: join(unpacked, runtime.program), program: join(root, 'apps/cli/dist/sheaf.mjs') };
      console.log(packBundle(existsSync(license) ? { ...parts, license } : parts, to));
    } finally {
      rmSync(fetched, { recursive: true, force: true });
    }
  }
  writeSums(to);
}

if (import.meta.main) await buildBundles(process.argv.slice(2), join(root, 'dist/clients'));
