/**
 * Pins every address and field name of the specification (docs/spec/linking.md and sharing.md, their tables of calls and entities) and of the public
 * contract. They are literals on purpose: a test through our own constants would follow a rename.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkWebServiceQuery } from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly properties: object } }>> };
  readonly responses: {
    readonly 200: {
      readonly content: { readonly 'application/json': { readonly schema: { readonly properties: { readonly data: Schema } } } };
    };
  };
}
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Method and path; the payload's fields; the fields under `data` that the specification reads, `a.b` for a field of a field or of a list's rows. */
type Pinned = readonly [call: string, payload: string, answer?: string];

const linking: readonly Pinned[] = [
  ['POST /rest/ws/link/delete_link', 'userLinkId rTag'],
  ['POST /rest/ws/link/delete_org_link', 'userLinkId orgOid rTag'],
  [
    'POST /rest/provider/get_link_provider',
    'provider',
    'provider.provider provider.displayTitle provider.title provider.addApi provider.updateApi provider.logoUrl provider.serverUrl provider.destinationUrl',
  ],
  ['POST /rest/ws/link/validate_oauth_manage_info', 'serverName', 'isValid'],
  ['POST /rest/ws/link/validate_oauth_manage_info_for_org_link', 'serverName orgOid', 'isValid'],
  ['POST /rest/ws/link/update_oauth_manage_info', 'userLinkId serverName rTag'],
  ['POST /rest/ws/link/update_oauth_manage_info_for_org_link', 'userLinkId serverName orgOid rTag'],
  [
    'GET /rest/ws/all_links',
    '',
    'activeSources.sourceType activeSources.source_type activeSources.links.name activeSources.links.userLinkId activeSources.links.sourceAccountName activeSources.links.thumbnailUrl activeSources.links.menuIconUrl activeSources.links.provider activeSources.links.isOrganization activeSources.links.disambiguatedName',
  ],
  ['GET /rest/ws/link/get_default_source_name', 'sourceType provider', 'linkName'],
  ['POST /rest/ws/link/get_link_connection_info', 'userLinkId', 'connectionInfo'],
  ['POST /rest/ws/link/get_org_link_connection_info', 'userLinkId orgOid', 'connectionInfo'],
  ['POST /rest/ws/link/validate_oracle_connection_info', 'connectionInfo serverName rTag', 'isValid'],
  ['POST /rest/ws/link/set_oracle_connection', 'connectionInfo serverName rTag'],
  ['POST /rest/ws/link/update_oracle_connection', 'connectionInfo serverName rTag userLinkId'],
  ['POST /rest/addlink/verify_b2_connection', 'connectionInfo provider linkName rTag', 'isValid completedConnectionInfo'],
  ['POST /rest/addlink/add_b2_link', 'connectionInfo provider linkName rTag'],
  ['POST /rest/ws/link/update_b2_connection', 'connectionInfo provider linkName rTag userLinkId'],
  ['POST /rest/addlink/verify_amazon_s3_connection', 'connectionInfo provider linkName', 'isValid completedConnectionInfo'],
  [
    'POST /rest/addlink/verify_amazon_s3_connection_for_org_link',
    'connectionInfo provider linkName orgOid',
    'isValid completedConnectionInfo',
  ],
  ['POST /rest/addlink/add_amazon_s3_link', 'connectionInfo provider linkName rTag'],
  ['POST /rest/addlink/add_amazon_s3_for_org_link', 'connectionInfo provider linkName orgOid rTag'],
  ['POST /rest/addlink/update_amazon_s3_link', 'connectionInfo provider linkName userLinkId rTag'],
  ['POST /rest/addlink/update_amazon_s3_for_org_link', 'connectionInfo provider linkName userLinkId orgOid rTag'],
  ['POST /rest/ws/link/validate_ftp_connection_info', 'connectionInfo linkName serverName rTag', 'isValid'],
  ['POST /rest/ws/link/set_ftp_connection', 'connectionInfo linkName serverName rTag'],
  ['POST /rest/ws/link/update_ftp_connection', 'connectionInfo linkName serverName rTag userLinkId'],
  ['POST /rest/ws/link/validate_ofs_connection_info', 'connectionInfo linkName serverName rTag', 'isValid'],
  ['POST /rest/ws/link/set_ofs_connection', 'connectionInfo linkName serverName rTag'],
  ['POST /rest/ws/link/update_ofs_connection', 'connectionInfo linkName serverName rTag userLinkId'],
  ['POST /rest/addlink/add_sheafgateway_provider_link', 'connectionInfo linkName serverName validateConnection rTag'],
  ['POST /rest/addlink/update_sheafgateway_provider_link', 'connectionInfo linkName serverName validateConnection rTag userLinkId'],
  ['POST /rest/addlink/add_webdav_provider_link', 'connectionInfo provider linkName serverName validateConnection rTag'],
  ['POST /rest/addlink/update_webdav_provider_link', 'connectionInfo provider linkName serverName validateConnection rTag userLinkId'],
  ['POST /rest/ws/link/validate_sftp_connection_info', 'connectionInfo serverName', 'isValid'],
  ['POST /rest/ws/link/set_sftp_connection', 'connectionInfo serverName rTag'],
  ['POST /rest/ws/link/update_sftp_connection', 'connectionInfo serverName userLinkId rTag'],
  ['POST /rest/link/auth/url', 'linkUri redirectUrl cancelUrl authPrompt', 'url'],
];

const sharing: readonly Pinned[] = [
  ['POST /rest/handoff/set_handoff_process_completed', 'processToken processData'],
  ['POST /rest/handoff/set_handoff_process_canceled', 'processToken'],
  ['POST /rest/content/add_folder', 'parentLinkUri folderName', 'name disambiguatedName linkUri fileType mimeType modified thumbnailUrl'],
  ['POST /rest/content/add_orglink_folder', 'parentLinkUri folderName memberOid', 'linkUri'],
  ['POST /rest/content/rename_object', 'linkUri newName'],
  ['POST /rest/content/rename_orglink_object', 'linkUri newName memberOid'],
  ['POST /rest/content/delete_object', 'linkUri'],
  ['POST /rest/content/delete_orglink_object', 'linkUri memberOid'],
  ['POST /rest/content/get_metadata', 'linkUri', 'name'],
  ['POST /rest/weblink/get_weblinks', '', 'weblinkId name nbrVisits createdTimeStamp expirationSeconds isFolder hasPassword'],
  ['POST /rest/weblink/remove_weblink', 'webLinkId rTag'],
  ['POST /rest/weblink/create', 'linkUri password expirationSeconds', 'sharelinkurl'],
  ['POST /rest/weblink/update_weblink', 'weblinkUri expirationSeconds rTag passwordChanged password', 'status'],
  ['POST /rest/purchase/premium_trial', 'trialDays track rTag'],
  ['POST /rest/purchase/purchase_premium_addon', 'recurlyBillingToken recurlyPlan trialState track coupon rTag', 'purchaseAccountId'],
  ['POST /rest/purchase/reactivate_premium_auto_renew', 'recurlyBillingToken recurlyPlan subOid track rTag'],
  ['POST /rest/account/updatebilling', 'recurlyBillingToken rTag'],
  ['POST /rest/subscription/show_org', 'trialDays track'],
  ['POST /rest/account/update_member_information', 'newName newEmail rTag'],
  ['POST /rest/space/create', 'storageLinkUri description emails destinationPath spaceName'],
  ['POST /rest/space/update', 'spaceOid description rTag spaceName'],
  ['POST /rest/space/update_link', 'userLinkId rTag spaceName'],
];

/** Promises to other programs beyond the specification, the additions that its ledger names first. */
const own: readonly Pinned[] = [
  ['POST /rest/addlink/add_googlecloud_link', 'name bucketName directoryStructure stateId handoffToken orgOid rTag'],
  ['POST /rest/account/apply_promo', 'coupon rTag'],
  ['GET /rest/session/info', '', 'session menu'],
  ['POST /rest/auth/email/signup', 'name email password', 'loginName loginAccount upgradeState expirationDays rTag'],
  ['POST /rest/auth/email/login', 'email password'],
  ['POST /rest/auth/email/forgot', 'email'],
  ['POST /rest/auth/email/reset', 'token password'],
  ['POST /rest/auth/logout', 'rTag'],
  ['GET /rest/account/session', '', 'loginName loginAccount upgradeState expirationDays rTag'],
  ['POST /rest/auth/token', 'authCode', 'token'],
  [
    'POST /rest/content/remote_update',
    'linkUri sort order filter fresh',
    'items.name items.disambiguatedName items.linkUri items.fileType items.mimeType items.modified items.size items.thumbnailUrl total hasMore listedAt stale',
  ],
  ['POST /rest/content/get_more', 'linkUri offset limit sort order filter', 'items total hasMore'],
  ['POST /rest/content/resolve', 'path', 'item ancestors'],
  ['GET /rest/content/download', 'linkUri inline'],
  ['GET /rest/content/archive', 'linkUri'],
  ['PUT /rest/content/upload', 'parentLinkUri name conflict uploadId'],
  ['GET /rest/content/upload_progress', 'uploadIds', 'uploads.uploadId uploads.taken'],
  ['GET /rest/content/thumbnail', 'linkUri size'],
  ['POST /rest/weblink/open', 'weblinkId password', 'name isFolder expirationSeconds item'],
  ['POST /rest/weblink/list', 'weblinkId path offset limit', 'items total hasMore'],
  ['GET /rest/weblink/download', 'weblinkId path'],
  ['GET /rest/weblink/archive', 'weblinkId path'],
  ['GET /rest/weblink/thumbnail', 'weblinkId path'],
  ['POST /rest/handoff/start', 'action name evaluateMerge', 'processToken url'],
  ['GET /rest/handoff/status', 'processToken', 'state destinationPath linkUri'],
];

const words = (text: string | undefined): string[] => (text ?? '').split(' ').filter(Boolean);
const rowsOf = (schema: Schema | undefined): Schema | undefined => schema?.items ?? schema;
const fieldOf = (schema: Schema | undefined, name: string): Schema | undefined =>
  [schema, ...(schema?.anyOf ?? [])].find((one) => one?.properties?.[name] !== undefined)?.properties?.[name];
const fieldAt = (schema: Schema, path: string): Schema | undefined =>
  path.split('.').reduce<Schema | undefined>((at, name) => fieldOf(rowsOf(at), name), schema);

for (const [text, calls] of [
  ['the linking specification', linking],
  ['the sharing specification', sharing],
  ['the public contract', own],
] as const) {
  test(`the calls of ${text} have their literal paths, payload fields and answer fields`, async (t) => {
    const { app } = await testApp(t);
    const { paths } = (await app.inject({ method: 'GET', url: '/rest/openapi.json' })).json<Document>();
    for (const [call, payload, answer] of calls) {
      const [method = '', path = ''] = call.split(' ');
      const operation = paths[path]?.[method.toLowerCase()];
      assert.ok(operation, `${call} exists`);
      const form = operation.requestBody?.content['application/x-www-form-urlencoded']?.schema.properties;
      const taken = form ? Object.keys(form) : (operation.parameters ?? []).map(({ name }) => name);
      for (const field of words(payload)) assert.ok(taken.includes(field), `${call} takes ${field}`);
      const { data } = operation.responses[200].content['application/json'].schema.properties;
      for (const field of words(answer)) assert.ok(fieldAt(data, field), `${call} answers ${field}`);
    }
  });
}

test('the server answers every call of the specification at its literal path: a visitor gets 104, never "does not exist" [SEC-02]', async (t) => {
  const { app } = await testApp(t);
  for (const [call] of [...linking, ...sharing]) {
    const [method, url = ''] = call.split(' ');
    const answer = await app.inject({ method: method === 'GET' ? 'GET' : 'POST', url });
    assert.equal(answer.statusCode, 401, call);
    assert.equal(answer.json<{ errorCode: number }>().errorCode, 104, call);
  }
});

/** Full-page addresses of the specification that begin the link of a web service, with the names in their queries. */
const linkStarts = [
  '/linkwebservice?sourceType=dropbox&providerName=Dropbox&redirectUrl=%2Faccount%2Fmysheaf&cancelUrl=%2Flinks&buildRedirectUrl=false&authPrompt=true&handoffToken=none',
  '/orglinkwebservice?sourceType=dropbox&providerName=Dropbox&redirectUrl=%2Faccount%2Fmysheaf&cancelUrl=%2Flinks&buildRedirectUrl=false&authPrompt=true&handoffToken=none&orgOid=none',
];

test('the full-page addresses are served at their literal paths, with the literal names in their queries', async (t) => {
  const { app, signUp } = await testApp(t);
  for (const path of ['/linkwebservice', '/orglinkwebservice', '/downloaddesktop'])
    assert.ok(app.hasRoute({ method: 'GET', url: path }), `${path} is served`);
  for (const address of linkStarts) {
    const { statusCode, headers } = await app.inject({ url: address });
    assert.equal(statusCode, 302, address);
    assert.match(String(headers.location), /^\/login\/start\?/, address);
    const query = new URL(String(headers.location), 'http://sheaf.example').searchParams;
    assert.deepEqual([query.get('redirectUrl'), query.has('cancelUrl')], [address, true]);
  }
  const user = await signUp();
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const without = await app.inject({ url: '/orglinkwebservice?sourceType=dropbox', headers: { cookie } });
  assert.equal(without.headers.location, '/linkprocessing/requesterror?reason=nolink');
  const unknown = await app.inject({ url: '/linkwebservice?sourceType=nothing', headers: { cookie } });
  assert.match(String(unknown.headers.location), /^\/linkprocessing\/requesterror\?reason=unknown/);
});

test('the pages that begin a link read exactly these names, written out, from their queries', () => {
  const names = 'sourceType providerName redirectUrl cancelUrl userLinkId handoffToken orgOid buildRedirectUrl authPrompt';
  assert.deepEqual(Object.keys(LinkWebServiceQuery.properties).toSorted(), names.split(' ').toSorted());
});

test('the desktop client is chosen by "platform", and a sign-in elsewhere keeps "redirectUrl" and "cancelUrl"', async (t) => {
  const { app } = await testApp(t);
  const leadsTo = async (url: string) => (await app.inject({ url })).headers.location;
  assert.equal(await leadsTo('/downloaddesktop?platform=amiga'), '/download');
  assert.equal(await leadsTo('/downloaddesktop?platform=mac'), undefined);
  const query = 'redirectUrl=%2Flinks&cancelUrl=%2Fabout';
  assert.equal(await leadsTo(`/login/with/google?${query}`), `/login/connectionerror?reason=notsetup&${query}`);
});

/** A saving call, its further fields, and connection info with every field that the specification gives the form. */
const forms: readonly (readonly [add: string, more: Readonly<Record<string, string>>, info: Readonly<Record<string, string>>])[] = [
  [
    '/rest/addlink/add_amazon_s3_link',
    { provider: 'S3' },
    {
      host: '',
      bucketName: 'photos',
      key: 'AKIA',
      secret: 'x',
      defaultStorageClass: 'STANDARD',
      directoryStructure: "SIMPLE '/' DELIMITED",
    },
  ],
  [
    '/rest/ws/link/set_ftp_connection',
    {},
    {
      server: 'ftp.example',
      protocol: 'FTPS (Explicit TLS)',
      username: 'mara',
      password: 'x',
      numConcurrentConnections: '2',
      path: '/in',
      enforceSSL: 'ENFORCE_MATCH',
    },
  ],
  ['/rest/ws/link/set_ofs_connection', {}, { server: 'https://files.example', username: 'mara', password: 'x' }],
  [
    '/rest/addlink/add_webdav_provider_link',
    {},
    {
      server: 'https://dav.example',
      username: 'mara',
      password: 'x',
      authType: 'basic',
      enforceSSL: 'IGNORE_MATCH',
      destinationUrl: 'https://dav.example/files',
    },
  ],
  [
    '/rest/addlink/add_sheafgateway_provider_link',
    {},
    { server: 'https://gateway.example', authjson: '{"sheafGateway":1,"id":"a","secret":"b"}' },
  ],
  [
    '/rest/ws/link/set_sftp_connection',
    {},
    {
      server: 'nas.example:22',
      username: 'mara',
      password: 'x',
      numConcurrentConnections: '3',
      accessType: 'Internet accessible sftp server',
      path: '/in',
      keyfileContent: 'KEY',
      enforceSSL: 'ENFORCE_MATCH',
    },
  ],
  ['/rest/ws/link/set_oracle_connection', {}, { url: 'https://oracle.example', username: 'mara', password: 'x' }],
  ['/rest/addlink/add_b2_link', { provider: 'B2' }, { accountId: 'id', applicationKey: 'x', allowWrite: 'DISALLOW_WRITE' }],
];

test('connection info is accepted and returned under the literal field names of each form', async (t) => {
  const { app, signUp } = await testApp(t);
  const user = await signUp();
  const headers = { cookie: [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const { rTag } = user.session;
  for (const [add, more, info] of forms) {
    const payload = {
      connectionInfo: JSON.stringify(info),
      linkName: `Link by ${add.split('/').at(-1)}`,
      validateConnection: false,
      rTag,
      ...more,
    };
    const saved = await app.inject({ method: 'POST', url: add, headers, payload });
    assert.equal(saved.statusCode, 200, `${add}: ${saved.body}`);
    const { userLinkId } = saved.json<{ data: { userLinkId: string } }>().data;
    const asked = await app.inject({
      method: 'POST',
      url: '/rest/ws/link/get_link_connection_info',
      headers,
      payload: { userLinkId, rTag },
    });
    const { connectionInfo } = asked.json<{ data: { connectionInfo: Readonly<Record<string, string>> } }>().data;
    for (const [field, value] of Object.entries(info)) {
      const isSecret = ['secret', 'password', 'authjson', 'applicationKey', 'keyfileContent'].includes(field);
      assert.equal(connectionInfo[field], isSecret ? '••••••••' : value, `${add}: ${field}`);
    }
  }
});
