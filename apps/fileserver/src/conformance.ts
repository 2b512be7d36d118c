/** Checks any server against the gateway protocol, promise by promise: `node apps/fileserver/src/conformance.ts --help`. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { bodyPromises } from './conformance/bodies.ts';
import { changePromises } from './conformance/changes.ts';
import { createClient } from './conformance/client.ts';
import { listingPromises } from './conformance/listings.ts';
import { loginPromises } from './conformance/logins.ts';
import { Broken, type Promised } from './conformance/promise.ts';
import { uploadPromises } from './conformance/uploads.ts';

const help = `Checks whether a server keeps the promises of the Sheaf gateway protocol.

  conformance.ts URL --user NAME --password-file FILE
  conformance.ts URL --connection FILE

URL is what a link would have as its server, such as https://nas.example:8190. The server must let the account write: a folder "sheaf-conformance-..." is made
and deleted again. Prints a line for each promise. The exit code is 0 when all are kept, 1 when one is broken, 2 when the server cannot be checked.
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Login {
  readonly url: string;
  readonly authorization: string;
}

async function readLogin(): Promise<Login | undefined> {
  const options = {
    user: { type: 'string' },
    'password-file': { type: 'string' },
    connection: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [url] = positionals;
  if (values.help || url === undefined) return undefined;
  if (values.connection !== undefined) {
    const { id, secret } = JSON.parse(await readFile(values.connection, 'utf8')) as { readonly id: string; readonly secret: string };
    return { url, authorization: `Bearer ${id}.${secret}` };
  }
  if (values.user === undefined || values['password-file'] === undefined) return undefined;
  const password = (await readFile(values['password-file'], 'utf8')).replace(/\r?\n$/, '');
  return { url, authorization: `Basic ${Buffer.from(`${values.user}:${password}`).toString('base64')}` };
}

async function check({ url, authorization }: Login): Promise<boolean> {
  const root = `/sheaf-conformance-${crypto.randomUUID()}`;
  const client = createClient(url, authorization);
  const { capabilities } = await client.info();
  if (!['write', 'createFolder', 'remove'].every((capability) => capabilities.includes(capability)))
    throw new Broken('only a server that can write, createFolder and remove can be checked');
  await client.json('POST', 'folder', { path: root });
  let allKept = true;
  try {
    for (const [index, promise] of [...loginPromises, ...listingPromises, ...bodyPromises, ...changePromises, ...uploadPromises].entries())
      allKept = (await keeps(promise, `${root}/${index}`)) && allKept;
  } finally {
    await client.ask('DELETE', 'entry', { path: root });
  }
  return allKept;

  async function keeps({ title, needs = [], run }: Promised, at: string): Promise<boolean> {
    const lacking = needs.find((capability) => !capabilities.includes(capability));
    if (lacking !== undefined) {
      print(`n/a     ${title} (the server has no "${lacking}")`);
      return true;
    }
    try {
      await client.json('POST', 'folder', { path: at });
      await run({ client, at, url, authorization });
      print(`kept    ${title}`);
      return true;
    } catch (error) {
      print(`BROKEN  ${title}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
}

try {
  const login = await readLogin();
  if (login) process.exitCode = (await check(login)) ? 0 : 1;
  else print(help);
} catch (error) {
  process.stderr.write(`The server cannot be checked: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
