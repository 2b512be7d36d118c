import { errorTable } from '@sheaf/contract';
import { group, linked, mask, row, saved, valid, watchCalls, watchLinkCalls } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, choicesOf, field, fill, labels } from './fields.ts';

const entered = { Name: 'Photos', 'Bucket name': 'photos', 'Access key id': 'AK', Secret: 'secret' };
const types = ['s3', 's3compat', 'wasabi', 'digitalocean', 'dreamhost', 'minio', 'azurestorage'];

test('every object store has the same dialog @narrow [LSP-08] [S3-01] [S3-03] [S3-04] [S3-06] [S3-08] [S3-09] [S3-14]', async ({
  user: page,
}) => {
  for (const type of types) {
    await page.goto(`/links/${type}`);
    await expect(button(page, 'Link')).toBeDisabled();
    await expect(labels(page)).toHaveText(['Name', 'Host', 'Bucket name', 'Access key id', 'Secret']);
    await expect(page.getByText('Non-AWS only')).toBeVisible();
  }
  await expectAccessible(page);
});

test('storage class and directory structure have the choices of their provider [S3-10] [S3-11] [S3-12] [S3-13] [S3-16] [S3-17] [S3-18] [S3-19]', async ({
  user: page,
}) => {
  const open = async (type: string): Promise<void> => {
    await page.goto(`/links/${type}`);
    await page.getByRole('button', { name: 'Advanced' }).click();
  };
  await open('s3');
  await expect(choicesOf(page, 'Storage class')).toHaveText(['STANDARD', 'STANDARD_IA', 'REDUCED REDUNDANCY']);
  await expect(field(page, 'Storage class')).toHaveValue('STANDARD');
  await expect(choicesOf(page, 'Directory structure')).toHaveText(['ENHANCED SHEAF FS', "SIMPLE '/' DELIMITED"]);
  for (const type of ['s3compat', 'azurestorage']) {
    await open(type);
    await expect(choicesOf(page, 'Storage class')).toHaveText(['STANDARD']);
  }
  for (const type of ['wasabi', 'digitalocean', 'dreamhost', 'minio']) {
    await open(type);
    await expect(field(page, 'Directory structure')).toBeVisible();
    await expect(field(page, 'Storage class')).toHaveCount(0);
  }
});

test('the host of DreamHost is fixed [S3-05]', async ({ user: page }) => {
  await page.goto('/links/dreamhost');
  await expect(field(page, 'Host')).toHaveValue('objects-us-east-1.dream.io');
  await expect(field(page, 'Host')).not.toBeEditable();
});

test('the connection is verified, completed, saved, and the bucket opened [S3-20] [S3-22] [S3-23] [S3-26] [S3-27] [S3-28]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('verify_amazon_s3_connection', {
    data: { isValid: true, completedConnectionInfo: { bucketName: 'photos', region: 'eu-north-1' } },
  });
  calls.answer('add_amazon_s3_link', saved);
  await page.goto('/links/s3');
  await fill(page, { Name: 'Photos', 'Bucket name': 'photos', 'Access key id': 'AK' });
  await expect(button(page, 'Link')).toBeDisabled();
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/browse/New');
  expect(calls.of('verify_amazon_s3_connection')[0]?.info).toEqual({
    key: 'AK',
    secret: 'secret',
    host: '',
    bucketName: 'photos',
    defaultStorageClass: 'STANDARD',
    directoryStructure: "SIMPLE '/' DELIMITED",
  });
  const { form, info } = calls.of('add_amazon_s3_link')[0] ?? {};
  expect(info).toEqual({ bucketName: 'photos', region: 'eu-north-1' });
  expect(form).toMatchObject({ linkName: 'Photos', provider: 'S3' });
});

test('invalid info saves nothing and offers nothing [S3-25]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  calls.answer('verify_amazon_s3_connection', { data: { isValid: false } });
  await page.goto('/links/s3');
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page.getByText('The S3 server could not validate these credentials.')).toBeVisible();
  await expect(button(page, 'Link')).toBeEnabled();
  expect(calls.of('add_amazon_s3_link')).toEqual([]);
});

test('bucket, key and signature are reported at their fields [ERR-22] [ERR-23] [ERR-24]', async ({ user: page }) => {
  const calls = await watchLinkCalls(page);
  await page.goto('/links/s3');
  await fill(page, entered);
  for (const [errorCode, messageCode, label] of [
    [424, 'INVALID_KEY', 'Access key id'],
    [425, 'INVALID_SIGNATURE', 'Secret'],
    [426, 'BUCKET_NOT_FOUND', 'Bucket name'],
  ] as const) {
    calls.answer('verify_amazon_s3_connection', { errorCode, messageCode, message: 'Words of another client.' });
    await button(page, 'Link').click();
    await expect(page.getByText(errorTable[messageCode].text)).toBeVisible();
    await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true');
    await expect(page.locator('[aria-invalid=true]')).toHaveCount(1);
  }
});

test('an unreadable answer is reported as a network error [S3-32]', async ({ user: page }) => {
  (await watchLinkCalls(page)).answer('verify_amazon_s3_connection', 'unreadable');
  await page.goto('/links/s3');
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page.getByText('Cannot connect to the S3 server. Please check your network connection and try again.')).toBeVisible();
});

test('an active bucket can be edited, but its bucket name is fixed [LSP-14] [LSP-15] [LSP-16] [S3-02] [S3-07] [S3-15] [S3-21] [S3-24]', async ({
  user: page,
}) => {
  const calls = await watchLinkCalls(page);
  calls.answer('all_links', linked(group('S3', 'Amazon S3', row('b1', 'Photos', 'S3'))));
  const connectionInfo = {
    host: '',
    bucketName: 'photos',
    key: 'AK',
    secret: mask,
    region: 'eu-north-1',
    directoryStructure: "SIMPLE '/' DELIMITED",
  };
  calls.answer('get_link_connection_info', { data: { linkName: 'Photos', provider: 'S3', sourceType: 'S3', connectionInfo } });
  calls.answer('verify_amazon_s3_connection', { data: { isValid: true, completedConnectionInfo: { bucketName: 'completed' } } });
  calls.answer('update_amazon_s3_link', saved);
  await page.goto('/links/wasabi');
  await expect(page.getByRole('heading', { name: 'Link Wasabi' })).toBeVisible();
  await page.goto('/links/s3');
  await expect(page.getByRole('heading', { name: 'Edit Photos' })).toBeVisible();
  await expect(field(page, 'Bucket name')).not.toBeEditable();
  await expect(page.getByText('eu-north-1')).toHaveCount(0);
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/account/mysheaf');
  expect(calls.of('update_amazon_s3_link')[0]).toMatchObject({ info: { bucketName: 'completed' }, form: { userLinkId: 'b1' } });
});

test('in an organisation the dialog uses its calls [S3-29] [S3-30]', async ({ user: page }) => {
  const calls = await watchCalls(page, /\/rest\/(ws|addlink|provider|org)\//);
  calls.answer('links', linked());
  calls.answer('verify_amazon_s3_connection_for_org_link', valid);
  calls.answer('add_amazon_s3_for_org_link', saved);
  await page.goto('/links/s3?orgOid=o7');
  await fill(page, entered);
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/browse/New');
  expect(calls.of('add_amazon_s3_for_org_link')[0]?.form['orgOid']).toBe('o7');
});
