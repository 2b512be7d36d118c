/** Starts the server from its sources. The import is dynamic, so that the compile cache is enabled before anything else is loaded. */
import { keepCompiledCode } from './platform/code-folder.ts';

keepCompiledCode();
const { run } = await import('./server.ts');
await run();
