import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { Failure } from '#/failure.ts';
import type { Environment } from '#/settings.ts';
import type { Place } from './means.ts';

/** Milliseconds for which output is read after a program has ended: its background processes may keep the pipe open. */
const lastWords = 200;
const mostWords = 4000;

/** The folders of PATH, and the matching ones for system programs that a user's PATH omits: /usr/sbin for /usr/bin. */
function foldersOf(env: Environment): string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const beside = folders.flatMap((folder) => (basename(folder) === 'bin' ? [join(dirname(folder), 'sbin')] : []));
  return [...new Set([...folders, ...beside])];
}

/** Describes this computer. */
export function thisPlace(env: Environment): Place {
  const folders = foldersOf(env);
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    has: (program) => folders.some((folder) => isAllowed(join(folder, program), constants.X_OK)),
    hasFuse: isAllowed('/dev/fuse', constants.R_OK | constants.W_OK),
  };
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Runs a program to its end with this standard input; returns its output. Throws Failure with the program's message when it fails. */
export async function runWith([program = '', ...args]: readonly string[], input: string, env: Environment): Promise<string> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...env, PATH: foldersOf(env).join(delimiter), LC_ALL: 'C.UTF-8' },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out = (out + chunk.toString()).slice(0, mostWords)));
  child.stderr.on('data', (chunk: Buffer) => (err = (err + chunk.toString()).slice(0, mostWords)));
  // The program may end before it has read all input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', (error) => fail(new Failure(`${program} cannot be run here.`, 'failed', error)));
    child.once('exit', (ended) => {
      const timer = setTimeout(() => done(ended), lastWords);
      child.once('close', () => {
        clearTimeout(timer);
        done(ended);
      });
    });
  });
  child.stdout.destroy();
  child.stderr.destroy();
  if (code !== 0) throw new Failure(`${program} failed: ${err.trim() || out.trim() || `exit code ${code}`}`);
  return out;
}
