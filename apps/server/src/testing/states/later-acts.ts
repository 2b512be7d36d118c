import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { CreateMultipartUploadCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import {
  addPasskey,
  addSshKey,
  addVaultPasskey,
  allowAgent,
  beginPasskey,
  createScimToken,
  deviceEndpoints,
  emailLogin,
  inviteToOrg,
  linkRooms,
  listEncryption,
  listOrgs,
  makeToken,
  orderPlaces,
  passkeyOptions,
  products,
  purchasePremium,
  setBinDays,
  setEncryptionRootView,
  setNotices,
  startHandoff,
} from '@sheaf/contract';
import { agentProvider, askToBeLetIn, call, connected } from '#/serving/agents/testing/agent-client.ts';
import { createAuthenticator } from '#/testing/authenticator.ts';
import { tokenOf } from '#/testing/shop.ts';
import type { Caller } from './caller.ts';
import type { Known } from './state-file.ts';
import { password, people } from './story.ts';

interface Stage {
  readonly person: () => Caller;
  readonly mara: Caller;
  readonly eve: Caller;
  /** Signed in through a provider, and not used by the tests: what changes a sign-in is hers. */
  readonly olga: Caller;
  readonly known: Known;
  /** Mara's storage. */
  readonly nas: { readonly userLinkId: string; readonly at: (path: string) => string };
}

/** Uses what came after the first versions. Each act is left out by a version that lacks it. */
export async function actLater(stage: Stage): Promise<void> {
  const { person, mara, olga, known, nas } = stage;
  await mara.tryAsk(setBinDays, { days: 20 });
  await mara.tryAsk(orderPlaces, { links: [nas.userLinkId] });
  await mara.tryAsk(linkRooms, {});
  await mara.tryAsk(setNotices, { links: false });
  await mara.tryAsk(setEncryptionRootView, { rootView: true });
  await mara.tryAsk(startHandoff, { action: 'backup', name: 'Photos' });
  await addKeys(stage);
  await person().ask(makeToken, { authCode: known['authCode'] ?? '' });
  await person().ask(emailLogin, { email: people.noor, password });
  await person().follow('/login/with/google');
  await mara.follow('/linkwebservice?sourceType=Dropbox&providerName=Dropbox');
  await olga.tryAsk(purchasePremium, { recurlyPlan: products.premium.plan, recurlyBillingToken: tokenOf('success') });
  const device = new URLSearchParams({ client_id: 'sheaf-cli', device_name: 'Laptop' });
  await fetch(mara.url + deviceEndpoints.authorize, { method: 'POST', body: device });
  await bringDirectory(mara);
  await letAgentIn(mara);
  await runPrograms(mara.url, known);
}

/** A passkey of a person, one of a vault, and a key of SSH. */
async function addKeys({ person, mara, eve, olga }: Stage): Promise<void> {
  const begun = await olga.tryAsk(beginPasskey, {});
  if (begun) {
    const { origin, hostname } = new URL(olga.url);
    const attestation = createAuthenticator({ rpId: hostname, origin }).create(begun.options);
    await olga.ask(addPasskey, { name: 'Phone', attestation });
    await person().ask(passkeyOptions, {});
  }
  const [vault] = (await mara.tryAsk(listEncryption, {}))?.folders ?? [];
  if (vault) await mara.tryAsk(addVaultPasskey, { vaultId: vault.folderOid, name: 'Phone', sealed: 'sealed by a passkey' });
  // RFC 8709, section 4: the name of the algorithm and the key, each after its length.
  const parts = [Buffer.from('ssh-ed25519'), randomBytes(32)].flatMap((part) => [Buffer.from([0, 0, 0, part.length]), part]);
  const publicKey = `ssh-ed25519 ${Buffer.concat(parts).toString('base64')} laptop`;
  await eve.tryAsk(addSshKey, { name: 'Laptop', publicKey, linkUri: [], rights: 'read' });
}

/** A directory that brings a person and a group, and somebody who was only invited. */
async function bringDirectory(mara: Caller): Promise<void> {
  const [org] = (await mara.ask(listOrgs, {})).orgs;
  assert.ok(org);
  await mara.ask(inviteToOrg, { orgOid: org.orgOid, emails: 'soon@example.org', role: 'member' });
  const made = await mara.tryAsk(createScimToken, { orgOid: org.orgOid, name: 'Entra' });
  if (!made) return;
  const post = async (path: string, body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${made.token}`, 'content-type': 'application/scim+json' };
    const answer = await fetch(`${mara.url}/scim/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 201, await answer.clone().text());
    return ((await answer.json()) as { readonly id: string }).id;
  };
  const sam = await post('/Users', { userName: 'sam@example.org', externalId: '7', name: { givenName: 'Sam' } });
  await post('/Groups', { displayName: 'Drivers', members: [{ value: sam }] });
}

/** An agent that has asked for something that a person has to confirm. */
async function letAgentIn(mara: Caller): Promise<void> {
  if ((await fetch(`${mara.url}/mcp`, { method: 'POST' })).status === 404) return;
  const agent = agentProvider();
  const transport = await askToBeLetIn(mara.url, agent);
  const { redirectUrl } = await mara.ask(allowAgent, { query: agent.sentTo().search, linkUri: [], rights: 'write' });
  await transport.finishAuth(new URL(redirectUrl).searchParams);
  const { client, close } = await connected(mara.url, agent);
  await call(client, 'plan_share', { path: '/NAS/report.txt' });
  await close();
}

/** A drive that locks a file and gives it a property, and an S3 program in the middle of an upload. */
async function runPrograms(url: string, { appUser, appPassword, accessKeyId, secretAccessKey }: Known): Promise<void> {
  if (appUser === undefined || appPassword === undefined) return;
  const headers = { authorization: `Basic ${Buffer.from(`${appUser}:${appPassword}`).toString('base64')}` };
  const file = `${url}/dav/NAS/report.txt`;
  const property = `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:colour xmlns:x="urn:x">red</x:colour></D:prop></D:set></D:propertyupdate>`;
  const lock = `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`;
  for (const [method, body] of [
    ['PROPPATCH', property],
    ['LOCK', lock],
  ] as const) {
    const answer = await fetch(file, { method, headers: { ...headers, 'content-type': 'application/xml' }, body });
    assert.ok(answer.ok, `${method}: ${answer.status} ${await answer.text()}`);
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) return;
  const client = new S3Client({
    endpoint: `${url}/s3`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  await client.send(new PutObjectCommand({ Bucket: 'nas', Key: 'New/small.txt', Body: 'small', Metadata: { colour: 'red' } }));
  const target = { Bucket: 'nas', Key: 'New/large.bin' };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: Buffer.alloc(5 << 20) }));
  client.destroy();
}
