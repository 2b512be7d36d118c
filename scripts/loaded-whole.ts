/**
 * Preloaded into test processes: a test file that throws while it is loaded fails. Node's runner forgets the error once the file has declared a test, where
 * several files share a process (`--test-isolation=none`, Node 26).
 */
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const files = process.argv.slice(1).filter((argument) => argument.endsWith('.test.ts'));
// Worker threads preload it too, and have no tests.
if (isMainThread) {
  const { after } = await import('node:test');
  after(async () => {
    // A module that failed fails again with the same error; the others are not run again.
    for (const file of files) await import(pathToFileURL(file).href);
  });
}
