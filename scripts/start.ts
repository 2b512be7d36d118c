/** `npm start`: builds web app, server and command-line client when their sources have changed since the last build, then serves. `--build-only` stops after the build. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './built.ts';
import { cliTarget, serverTarget, webTarget } from './targets.ts';

enableCompileCache();
const root = join(import.meta.dirname, '..');
await ensureBuilt(root, webTarget(root));
await ensureBuilt(root, serverTarget(root));
await ensureBuilt(root, cliTarget(root));
if (!process.argv.includes('--build-only')) await import(pathToFileURL(join(root, 'apps/server/dist/main.js')).href);
