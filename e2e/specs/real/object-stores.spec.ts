import { certificateFor, freePort, startApache } from '@sheaf/testbed';
import { test } from '../../fixtures/real-servers.ts';
import { expect } from '../../fixtures/test.ts';
import { button, fill } from '../dialogs/fields.ts';
import { certificateTexts, expectNoOffer, expectMessage, expectFieldError, nothingAt } from './expectations.ts';

test('a bucket of Swift: signature and bucket are reported at their fields, then it opens [ERR-23] [ERR-24] [S3-26]', async ({
  user: page,
  swift,
  unique,
}) => {
  const bucket = `photos-${unique}`;
  await swift.createBucket(bucket);
  await page.goto('/links/s3compat');
  await fill(page, { Name: 'Photos', Host: swift.endpoint, 'Bucket name': bucket, 'Access key id': swift.key, Secret: 'wrong' });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Secret', 'The signature does not match. Please check the secret key.');
  await fill(page, { Secret: swift.secret, 'Bucket name': `missing-${unique}` });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Bucket name', 'The bucket was not found. Please check the bucket name.');
  await fill(page, { 'Bucket name': bucket });
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/browse/Photos');
  await expect(page.getByText('This folder is empty')).toBeVisible();
});

test('no host, a closed port, a wrong certificate and a server that is no store are distinguished and save nothing [S3-25] [ERR-32] [ERR-33] [ERR-35]', async ({
  user: page,
  authority,
  dav,
  started,
}) => {
  await page.goto('/links/minio');
  await fill(page, { Name: 'Cellar', 'Bucket name': 'cellar', 'Access key id': 'AK', Secret: 'secret' });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Host', 'Please enter the host.');
  const port = await freePort();
  await fill(page, { Host: `127.0.0.1:${port}` });
  await button(page, 'Link').click();
  await expectMessage(page, 'Cannot connect to MinIO server. Please check your network connection and try again later.', nothingAt(port));
  await expectNoOffer(page);
  for (const [texts, host, signer] of [
    [[certificateTexts.name, certificateTexts.otherNames], 'other.example', authority],
    [[certificateTexts.selfSigned], '127.0.0.1', undefined],
  ] as const) {
    const server = await started(startApache({ tls: await certificateFor(host, signer) }));
    await fill(page, { Host: `${server.host}:${server.port}` });
    await button(page, 'Link').click();
    await expectMessage(page, ...texts);
    await expectNoOffer(page);
  }
  const other = `http://${dav.host}:${dav.port}`;
  await fill(page, { Host: other });
  await button(page, 'Link').click();
  await expectMessage(page, 'The S3 server could not validate these credentials.', `"${other}" no longer exists.`);
  await expectNoOffer(page);
  await page.goto('/account/mysheaf');
  await expect(page.getByText('You have not linked any storage yet.')).toBeVisible();
});

test('a container of Azure: key, signature and container are reported at their fields, then it opens [ERR-22] [ERR-23] [ERR-24]', async ({
  user: page,
  azurite,
  unique,
}) => {
  const container = `photos-${unique}`;
  await azurite.createContainer(container);
  await page.goto('/links/azurestorage');
  await fill(page, {
    Name: 'Photos',
    Host: azurite.endpoint,
    'Bucket name': container,
    'Access key id': 'otheraccount',
    Secret: azurite.key,
  });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Access key id', 'The access key is not valid.');
  await fill(page, { 'Access key id': azurite.account, Secret: Buffer.from('wrong').toString('base64') });
  await button(page, 'Link').click();
  await expectFieldError(page, 'Secret', 'The signature does not match. Please check the secret key.');
  for (const missing of [`missing-${unique}`, 'Not_a_name']) {
    await fill(page, { Secret: azurite.key, 'Bucket name': missing });
    await button(page, 'Link').click();
    await expectFieldError(page, 'Bucket name', 'The bucket was not found. Please check the bucket name.');
  }
  await fill(page, { 'Bucket name': container });
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/browse/Photos');
  await expect(page.getByText('This folder is empty')).toBeVisible();
});
