/**
 * `npm run dev`: Sheaf with a simulator of every provider that is linked by authorization, so that all of them can be tried without an account.
 * Nothing is kept, and nothing leaves this computer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startB2, startOracle, startProviders } from '../packages/testbed/src/index.ts';
import { ensureBuilt } from './built.ts';
import { serverTarget, webTarget } from './targets.ts';

const root = join(import.meta.dirname, '..');
const port = process.env['SHEAF_PORT'] ?? '8180';
const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-dev-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));

const providers = await startProviders(`http://127.0.0.1:${port}/oauth`);
const b2 = await startB2();
b2.seed();
const oracle = await startOracle();
oracle.seed();

const settings = { ...providers.settings, SHEAF_B2_API_URL: b2.url, SHEAF_PORT: port, SHEAF_DATA_DIR: dataDir };
Object.assign(process.env, settings, process.env);

console.log('Accounts of the simulators (no passwords are asked):');
for (const [stem, { oauth }] of Object.entries(providers.of))
  console.log(`  ${stem.padEnd(20)} ${oauth.accounts.map(({ email }) => email).join(', ')}`);
console.log(`  B2                   key ID ${b2.masterKey.accountId}, key ${b2.masterKey.applicationKey}`);
console.log(`  Oracle Documents     ${oracle.url}, ${oracle.user.username}, ${oracle.user.password}\n`);

await ensureBuilt(root, webTarget(root));
await ensureBuilt(root, serverTarget(root));
await import(pathToFileURL(join(root, 'apps/server/dist/main.js')).href);
