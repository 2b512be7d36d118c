import { packageOf } from '../scripts/debian-packages.ts';

/** The program that could not be started; undefined for other errors. */
function missingProgram(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall?.startsWith('spawn')) return path;
  return missingProgram(error.cause);
}

/** Does the work. When it needs a program that is not here, one line names its package, the exit code becomes 1, and the caller goes on. */
export async function unlessMissing(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const program = missingProgram(error);
    if (program === undefined) throw error;
    process.exitCode = 1;
    console.error(`${what}: not run, because these programs are missing: ${packageOf(program)}`);
  }
}
