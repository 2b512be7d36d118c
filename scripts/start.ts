/** `npm start`: builds web app, server and command-line client when their sources have changed since the last build, then serves. `--build-only` stops after the build. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keepCompiledCode } from '../apps/server/src/platform/code-folder.ts';
import { ensureBuilt, isBuilt } from './built.ts';
import { cliTarget, serverTarget, webTarget } from './targets.ts';

keepCompiledCode();
const root = join(import.meta.dirname, '..');
const targets = [webTarget(root), serverTarget(root), cliTarget(root)];
const onlyBuild = '--build-only';

if (process.argv.includes(onlyBuild)) for (const target of targets) await ensureBuilt(root, target);
else {
  // In a process of its own: the builders take 800 MiB, which the server would keep as long as it runs.
  if (!targets.every((target) => isBuilt(root, target))) {
    const builder = spawn(process.execPath, [import.meta.filename, onlyBuild], { stdio: 'inherit' });
    const [code] = (await once(builder, 'exit')) as [number | null];
    if (code !== 0) process.exit(code ?? 1);
  }
  await import(pathToFileURL(join(root, 'apps/server/dist/main.js')).href);
}
