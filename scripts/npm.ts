import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs npm in `folder`; throws with what npm said when it fails. Under `npm run` the same npm runs, otherwise the one on the path. */
export function runNpm(folder: string, ...args: readonly string[]): string {
  const program = process.env['npm_execpath'];
  const isNpm = program?.endsWith('npm-cli.js') === true;
  const options = [...args, '--no-update-notifier', '--no-audit', '--no-fund'];
  const { status, stdout, stderr, error } = spawnSync(
    isNpm ? process.execPath : 'npm',
    isNpm ? [program, ...options] : options,
    // On Windows npm is a command file, which only a shell runs.
    { cwd: folder, encoding: 'utf8', shell: !isNpm && process.platform === 'win32' },
  );
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** Packs the package in `folder` and returns the path of the archive, which lies in the same folder. Asks no registry. */
export function packWithNpm(folder: string): string {
  // The name of the archive is the last line (https://docs.npmjs.com/cli/commands/npm-pack).
  const name = runNpm(folder, 'pack', '--ignore-scripts').trim().split('\n').at(-1);
  if (!name) throw new Error(`npm packed nothing in ${folder}`);
  return join(folder, name);
}
