/**
 * `npm run record-state [-- folder]`: runs the program of this folder, or of another one with an earlier version, lets people use each feature through its calls,
 * kills it in the middle of a transfer, and writes what its database holds to `<last migration>.jsonl` here. Needs root and OpenSSH.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { eventually, freePort, run, startDropbox, startOidc, startOpenssh, tempDir } from '@sheaf/testbed';
import { withSnapshot } from '#/platform/db/copies/snapshot.ts';
import { act } from './acts.ts';
import { type Caller, callerOf } from './caller.ts';
import { type State, writeState } from './state-file.ts';
import { carried, contentOf, otherFiles, secretKey } from './story.ts';
import type { Words } from './words.ts';

const checkout = resolve(process.argv[2] ?? join(import.meta.dirname, '../../../../..'));

/** A storage with the files of the story, which belong to its account. */
async function startStorage() {
  const server = await startOpenssh();
  for (const path of [...carried.map((name) => `/origin/${name}`), ...otherFiles]) {
    const file = join(server.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, contentOf(path));
  }
  await mkdir(join(server.home, 'target'));
  await run('chown', ['-R', server.username, server.home]);
  return server;
}

/** The words of the version that is recorded, if it lists them. */
async function recordedWords(): Promise<Pick<State, 'words'>> {
  const file = join(checkout, 'apps/server/src/testing/states/words.ts');
  return existsSync(file) ? { words: ((await import(file)) as { readonly words: Words }).words } : {};
}

const [storage, other] = [await startStorage(), await startStorage()];
const data = await tempDir('state');
await chmod(data.path, 0o700);
const port = await freePort();
// By name: an address of numbers has no passkeys.
const url = `http://localhost:${port}`;
const oidc = await startOidc({ redirectUris: [`${url}/login/with/google/callback`] });
const dropbox = await startDropbox({ redirectUris: [`${url}/oauth`] });
const { clientId, clientSecret, apiUrl, uploadUrl, authUrl, tokenUrl } = dropbox.app;
const providers = {
  SHEAF_GOOGLE_CLIENT_ID: oidc.clientId,
  SHEAF_GOOGLE_CLIENT_SECRET: oidc.clientSecret,
  SHEAF_GOOGLE_ISSUER_URL: oidc.issuer,
  SHEAF_DROPBOX_CLIENT_ID: clientId,
  SHEAF_DROPBOX_CLIENT_SECRET: clientSecret,
  SHEAF_DROPBOX_API_URL: apiUrl,
  SHEAF_DROPBOX_UPLOAD_URL: uploadUrl,
  SHEAF_DROPBOX_AUTH_URL: authUrl,
  SHEAF_DROPBOX_TOKEN_URL: tokenUrl,
};
const child = spawn(join(checkout, 'node_modules/.bin/node'), [join(checkout, 'apps/server/src/main.ts')], {
  env: {
    PATH: process.env['PATH'],
    SHEAF_CRAWL: 'off',
    SHEAF_DATA_DIR: data.path,
    SHEAF_SECRET_KEY: secretKey,
    SHEAF_PORT: String(port),
    SHEAF_PUBLIC_URL: url,
    SHEAF_BACKUP: 'off',
    ...providers,
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const exit = once(child, 'exit');
try {
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady, 'the program is ready');
  const madeAt = Math.floor(Date.now() / 1000);
  const person = (): Caller => callerOf(url);
  const known = await act({ person, storage, other, oidc, dropbox, outbox: join(data.path, 'outbox') });
  child.kill('SIGKILL');
  await exit;
  // Sent mails are long.
  const omit = { tables: new Set<string>(), where: { job: `kind <> 'mail.send' or state = 'ready'` } };
  const file = await withSnapshot({ databaseUrl: '', dataDir: data.path, omit }, async (snapshot) =>
    writeState(import.meta.dirname, snapshot, { madeAt, known, ...(await recordedWords()) }),
  );
  process.stdout.write(`${file}\n`);
} finally {
  child.kill('SIGKILL');
  await exit;
  await storage.stop();
  await other.stop();
  await oidc.stop();
  await dropbox.stop();
  await data.remove();
}
