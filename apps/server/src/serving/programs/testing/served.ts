import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run, tempDir } from '@sheaf/testbed';
import { type LinkKind, linkOfKind } from '#/serving/testing/link-kinds.ts';
import { testApp } from '#/testing/app.ts';

/** How much each program carries: small files, and the bytes of one large one. */
export interface Amount {
  readonly files: number;
  readonly large: number;
}

/** Writes the files to carry: in folders of unusual names, empty ones among them. */
async function makeFiles(folder: string, { files, large }: Amount): Promise<void> {
  await mkdir(join(folder, 'größe & more', 'deep'), { recursive: true });
  for (let index = 0; index < files; index++)
    await writeFile(join(folder, 'größe & more', index % 2 === 0 ? 'deep' : '', `file ${index}.bin`), randomBytes((index % 50) * 100));
  await writeFile(join(folder, 'large.bin'), randomBytes(large));
}

export type Served = Awaited<ReturnType<typeof serve>>;

/** Sheaf with a link named "nas", an app password, files to carry in `from`, and a home for programs. */
export async function serve(t: TestContext, kind: LinkKind, amount: Amount) {
  const { app, services, signUp } = await testApp(t);
  const user = await signUp();
  const made = await linkOfKind(t, user, kind, 'nas');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const port = await services.sftp.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => services.sftp.close());
  const { path: home, remove } = await tempDir('programs');
  t.after(() => remove());
  const from = join(home, 'from');
  await makeFiles(from, amount);
  /** Runs a program to its end with more variables of its environment, and returns its output. */
  const program = (env: Readonly<Record<string, string>>, command: string, ...args: readonly string[]) => {
    const variables = Object.entries({ HOME: home, LANG: 'C.UTF-8', ...env }).map(([name, value]) => `${name}=${value}`);
    return run('env', ['-u', 'AWS_CA_BUNDLE', ...variables, command, ...args], { cwd: home });
  };
  return {
    ...made,
    user,
    /** The address of Sheaf, and its port of SFTP. */
    url,
    port,
    home,
    from,
    /** Where a program puts what it has carried back. */
    to: join(home, 'to'),
    program,
  };
}
