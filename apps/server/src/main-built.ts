/** Starts the built server, which is beside this file as CommonJS. */
import { keepCompiledCode } from './platform/code-folder.ts';
import { createCodeLoader } from './platform/code-loader.ts';
import type * as Server from './server.ts';

const loader = createCodeLoader(import.meta.dirname, 'server.cjs', keepCompiledCode());
const { run } = loader.load() as typeof Server;
const log = await run();
if (log) loader.keepCode((error) => log.warn({ err: error }, 'the compiled code of this start could not be kept for the next'));
