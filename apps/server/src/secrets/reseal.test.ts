import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { secretPlace } from './reseal.ts';
import { createVault } from './vault.ts';

test('at the first start with a new key a job reseals every secret, after which the old key is no longer needed', async (t) => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const first = await linkApp(t, { settings: { SHEAF_SECRET_KEY: old.toString('base64') } });
  for (const name of ['NAS', 'Attic']) await addSftp(first.user, name, { server: `${name.toLowerCase()}.example` });
  const { dataDir, databaseUrl } = first.config;
  const second = await testApp(t, {
    settings: {
      SHEAF_DATA_DIR: dataDir,
      SHEAF_DATABASE_URL: databaseUrl,
      SHEAF_SECRET_KEY: fresh.toString('base64'),
      SHEAF_PREVIOUS_SECRET_KEYS: old.toString('base64'),
    },
  });
  const { db } = second.services.database;
  // The first instance knows the kind too, and leases nothing that the second one should run.
  await first.services.jobs.stop();
  await second.services.jobs.runNow('secrets.reseal');
  await second.services.background.idle();
  const rows = await db.selectFrom('link_secret').selectAll().execute();
  assert.ok(rows.length >= 2);
  const vault = createVault(fresh);
  for (const { linkId, field, sealed } of rows) assert.notEqual(vault.open(secretPlace(linkId, field), sealed), '');
  const job = await db.selectFrom('job').selectAll().where('kind', '=', 'secrets.reseal').executeTakeFirstOrThrow();
  assert.equal(job.failedAt, null);
});
