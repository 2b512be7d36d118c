/**
 * Checks what each dialog sends, in which order, and what the server does with it, using real servers: no answer is made up.
 */
import { makeSshKey, startOpenssh } from '@sheaf/testbed';
import { watchRequests } from '../../fixtures/held.ts';
import { test } from '../../fixtures/real-servers.ts';
import { expect } from '../../fixtures/test.ts';
import { button, field, fill } from '../dialogs/fields.ts';
import { dots, expectNetworkFault, infoOf, linkCalls, linkId, named, saves } from './sent.ts';

test('FTP is checked, saved and edited by its calls [FTP-05] [FTP-11] [FTP-12] [FTP-13] [FTP-17] [FTP-18] [FTP-21] [RT-071] [DLG-06] [DLG-07] [DLG-08] [DLG-09] [DLG-10] [DLG-15] [DLG-16] [ERR-37] [ERR-39]', async ({
  user: page,
  plainFtp,
}) => {
  const calls = watchRequests(page, linkCalls);
  await page.goto('/links/ftp');
  await expect(field(page, 'Name')).toHaveValue('My FTP Server');
  expect(named(calls, 'get_default_source_name')[0]?.form['sourceType']).toBe('FTP');
  await field(page, 'Protocol').selectOption('FTP');
  await fill(page, { Server: `${plainFtp.host}:${plainFtp.port}`, Username: plainFtp.user });
  await expect(button(page, 'Link FTP')).toBeDisabled();
  await field(page, 'Server').press('Enter');
  expect(saves(calls)).toEqual([]);
  await fill(page, { Password: plainFtp.password });
  await expectNetworkFault(page, 'validate_ftp_connection_info', 'Link FTP', 'Cannot connect to the FTP server.');
  calls.sent.length = 0;
  await field(page, 'Password').press('Enter');
  await expect(page).toHaveURL(/\/browse\//);
  expect(saves(calls)).toEqual(['validate_ftp_connection_info', 'set_ftp_connection']);
  expect(named(calls, 'set_ftp_connection')[0]?.form).not.toHaveProperty('serverName');
  expect(infoOf(calls, 'set_ftp_connection')).toMatchObject({
    protocol: 'FTP',
    numConcurrentConnections: '2',
    enforceSSL: 'ENFORCE_MATCH',
  });

  calls.sent.length = 0;
  await page.goto(`/link/auth/ftp?userLinkId=${await linkId(page, 'My FTP Server')}`);
  await expect(field(page, 'Password')).toHaveValue(dots);
  await page.getByLabel('Valid SSL').uncheck();
  await fill(page, { Name: 'Print shop', Password: plainFtp.password });
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/ftp');
  expect(saves(calls)).toEqual(['validate_ftp_connection_info', 'update_ftp_connection']);
  expect(named(calls, 'update_ftp_connection')[0]?.form['serverName']).toBe('Print shop');
  expect(infoOf(calls, 'update_ftp_connection')['enforceSSL']).toBe('IGNORE_MATCH');
});

test('editing a field clears a warning and any error [DLG-04] [DLG-05]', async ({ user: page, plainFtp }) => {
  await page.goto('/links/ftp');
  await field(page, 'Protocol').selectOption('FTP');
  await fill(page, { Server: `${plainFtp.host}:${plainFtp.port}`, Username: plainFtp.user, Password: 'wrong' });
  await button(page, 'Link FTP').click();
  await expect(button(page, 'Continue Anyway')).toBeVisible();
  await fill(page, { Username: 'other' });
  await expect(button(page, 'Link FTP')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('the file server is checked, saved and edited by its calls [OFS-03] [OFS-05] [OFS-06] [OFS-07] [OFS-10] [OFS-11] [OFS-14] [RT-072]', async ({
  user: page,
  fileServer,
}) => {
  const calls = watchRequests(page, linkCalls);
  await page.goto('/links/fileserver');
  await fill(page, { Name: 'Studio files', Server: fileServer.url, Username: fileServer.user });
  await expect(button(page, 'Link Sheaf File Server')).toBeDisabled();
  await fill(page, { Password: 'wrong' });
  await expectNetworkFault(page, 'validate_ofs_connection_info', 'Link Sheaf File Server', 'Cannot connect to the file server.');
  await button(page, 'Link Sheaf File Server').click();
  await expect(button(page, 'Continue Anyway')).toBeVisible();
  calls.sent.length = 0;
  await button(page, 'Continue Anyway').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(saves(calls)).toEqual(['set_ofs_connection']);

  calls.sent.length = 0;
  await page.goto(`/link/auth/ofs?userLinkId=${await linkId(page, 'Studio files')}`);
  await expect(field(page, 'Password')).toHaveValue(dots);
  await fill(page, { Password: fileServer.password });
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/fileserver');
  expect(saves(calls)).toEqual(['validate_ofs_connection_info', 'update_ofs_connection']);
});

test('SFTP by password and by key file is checked, saved and edited by its calls [SFTP-16] [SFTP-21] [SFTP-22] [SFTP-23] [SFTP-25] [SFTP-26] [SFTP-27] [SFTP-28] [SFTP-29] [SFTP-31] [SFTP-32] [SFTP-33] [SFTP-34] [SFTP-36] [RT-074]', async ({
  user: page,
  started,
}) => {
  const key = await makeSshKey();
  const ssh = await started(startOpenssh({ authorizedKeys: [key.publicKey] }));
  const calls = watchRequests(page, linkCalls);
  await page.goto('/links/sftp');
  await expect(field(page, 'Name')).toHaveValue('My SFTP Server');
  expect(named(calls, 'get_default_source_name')[0]?.form['sourceType']).toBe('SFTP');
  await page.getByRole('link', { name: 'Login with password' }).click();
  await fill(page, { User: ssh.username, Password: ssh.password });
  await expect(button(page, 'Link')).toBeDisabled();
  await button(page, 'Back').click();
  await fill(page, { Host: `${ssh.host}:${ssh.port}` });
  await page.getByRole('link', { name: 'Login with password' }).click();
  await expectNetworkFault(page, 'validate_sftp_connection_info', 'Link', 'Cannot connect to the SFTP server.');
  calls.sent.length = 0;
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(saves(calls)).toEqual(['validate_sftp_connection_info', 'set_sftp_connection']);
  expect(infoOf(calls, 'set_sftp_connection')).toEqual({
    server: `${ssh.host}:${ssh.port}`,
    username: ssh.username,
    password: ssh.password,
    numConcurrentConnections: '3',
    accessType: 'Internet accessible sftp server',
    path: '',
    keyfileContent: '',
    enforceSSL: 'ENFORCE_MATCH',
  });

  await page.goto('/links/sftp?mode=create');
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/links');
  const edit = `/link/auth/sftp?userLinkId=${await linkId(page, 'My SFTP Server')}`;
  await page.goto(edit);
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/links/sftp');
  await page.goto(edit);
  await page.getByRole('link', { name: 'Login with keyfile' }).click();
  await expect(button(page, 'Save Changes')).toBeDisabled();
  await fill(page, { 'Key file contents': key.privateKey });
  calls.sent.length = 0;
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/sftp');
  expect(saves(calls)).toEqual(['validate_sftp_connection_info', 'update_sftp_connection']);
});

test('WebDAV is saved by one call that checks, to the calls its provider names [DAV-08] [DAV-09] [DAV-11] [DAV-12] [DAV-15] [DAV-16] [DAV-17] [DAV-18] [DAV-19] [DAV-20]', async ({
  user: page,
  dav,
}) => {
  const calls = watchRequests(page, linkCalls);
  await page.goto('/links/webdav');
  await expect(field(page, 'Name')).toHaveValue('My WebDAV Server');
  expect(named(calls, 'get_default_source_name')[0]?.form).toMatchObject({ sourceType: 'WebDAV', provider: 'WebDAV' });
  await fill(page, { Server: dav.url, Username: dav.user });
  await expect(button(page, 'Link')).toBeDisabled();
  await fill(page, { Password: dav.password });
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(saves(calls)).toEqual(['add_webdav_provider_link']);
  expect(named(calls, 'add_webdav_provider_link')[0]?.form).toMatchObject({ validateConnection: 'true', provider: 'WebDAV' });
  expect(infoOf(calls, 'add_webdav_provider_link')).not.toHaveProperty('destinationUrl');

  calls.sent.length = 0;
  await page.goto(`/link/auth/webdav?userLinkId=${await linkId(page, 'My WebDAV Server')}`);
  await expect(field(page, 'Password')).toHaveValue(dots);
  await page.getByRole('button', { name: 'Advanced' }).click();
  await fill(page, { 'Destination URL': dav.url });
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/account/mysheaf');
  expect(saves(calls)).toEqual(['update_webdav_provider_link']);
  expect(infoOf(calls, 'update_webdav_provider_link')).toMatchObject({ password: dots, destinationUrl: dav.url });

  await page.goto('/links/hidrive');
  await expect.poll(() => named(calls, 'get_link_provider').at(-1)?.form['provider']).toBe('hidrive');
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/links');
});

test('the gateway is saved by one call that checks, and its edit returns to its page [GW-05] [GW-12] [RT-073] [ERR-05]', async ({
  user: page,
  fileServer,
}) => {
  const calls = watchRequests(page, linkCalls);
  await page.goto('/links/sheafgatewaycloudstorage');
  await fill(page, { Name: 'Archive', Server: fileServer.url, 'Connection JSON': 'no json' });
  await button(page, 'Link').click();
  await expect(page.getByText('The connection JSON is not valid.')).toBeVisible();
  await expect(page.getByText(/include http:\/\//)).toHaveCount(0);
  await fill(page, { 'Connection JSON': fileServer.connection });
  await expectNetworkFault(page, 'add_sheafgateway_provider_link', 'Link', 'Cannot connect to the gateway server.');
  calls.sent.length = 0;
  await button(page, 'Link').click();
  await expect(page).toHaveURL(/\/browse\//);
  expect(saves(calls)).toEqual(['add_sheafgateway_provider_link']);
  expect(named(calls, 'add_sheafgateway_provider_link')[0]?.form['validateConnection']).toBe('true');
  await page.goto(`/link/auth/sheafgateway?userLinkId=${await linkId(page, 'Archive')}`);
  await expect(field(page, 'Connection JSON')).toHaveValue(dots);
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/links/sheafgatewaycloudstorage');
});

test('an object store is verified, completed, saved and edited by its calls [LSP-14] [LSP-15] [S3-02] [S3-07] [S3-15] [S3-21] [S3-22] [S3-23] [S3-24] [S3-27] [S3-28] [S3-32]', async ({
  user: page,
  swift,
  unique,
}) => {
  const calls = watchRequests(page, linkCalls);
  const bucket = `photos-${unique}`;
  await swift.createBucket(bucket);
  await page.goto('/links/s3');
  await expect(page.getByRole('heading', { name: 'Link Amazon S3' })).toBeVisible();
  await fill(page, { Name: 'Photos', 'Bucket name': bucket, 'Access key id': swift.key });
  await expect(button(page, 'Link')).toBeDisabled();
  await fill(page, { Secret: swift.secret });
  await expect(field(page, 'Host')).toHaveValue('');
  await expect(button(page, 'Link')).toBeEnabled();
  await fill(page, { Host: swift.endpoint });
  await expectNetworkFault(page, 'verify_amazon_s3_connection', 'Link', 'Cannot connect to the S3 server.');
  calls.sent.length = 0;
  await button(page, 'Link').click();
  await expect(page).toHaveURL('/browse/Photos');
  expect(saves(calls)).toEqual(['verify_amazon_s3_connection', 'add_amazon_s3_link']);
  // The server has completed what was entered with the bucket's region, which no field shows.
  expect(infoOf(calls, 'verify_amazon_s3_connection')).not.toHaveProperty('region');
  expect(infoOf(calls, 'add_amazon_s3_link')).toHaveProperty('region');

  calls.sent.length = 0;
  await page.goto('/links/s3');
  await expect(page.getByRole('heading', { name: 'Edit Photos' })).toBeVisible();
  await expect(field(page, 'Bucket name')).not.toBeEditable();
  await expect(field(page, 'Secret')).toHaveValue(dots);
  await expect(page.getByLabel('Region')).toHaveCount(0);
  await button(page, 'Save Changes').click();
  await expect(page).toHaveURL('/account/mysheaf');
  expect(saves(calls)).toEqual(['verify_amazon_s3_connection', 'update_amazon_s3_link']);
  expect(infoOf(calls, 'update_amazon_s3_link')).toHaveProperty('region');
});
