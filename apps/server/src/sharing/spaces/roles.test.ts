import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Call,
  type ErrorAnswer,
  type InputOf,
  addFolder,
  addOrgFolder,
  archive,
  archiveDirectory,
  changeSpaceMember,
  createSpace,
  createWeblink,
  deleteObject,
  deleteOrgObject,
  download,
  getMetadata,
  getMore,
  inviteToSpace,
  leaveSpace,
  linkUriOf,
  listSpaceMembers,
  listSpaces,
  officeText,
  remoteUpdate,
  removeSpace,
  removeSpaceMember,
  renameObject,
  renameOrgObject,
  resolvePath,
  thumbnail,
  updateSpace,
  updateSpaceLink,
  upload,
} from '@sheaf/contract';
import { smallJpeg } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const roles = ['owner', 'manager', 'editor', 'viewer', 'invited', 'removed', 'stranger'] as const;
type Role = (typeof roles)[number];
/** Expected answer by role: `ok`, or the error's code. */
type Expected = Readonly<Record<Role, 'ok' | number>>;

/** Allowed for every member. */
const looking: Expected = { owner: 'ok', manager: 'ok', editor: 'ok', viewer: 'ok', invited: 351, removed: 351, stranger: 351 };
/** Allowed for every member but viewers. */
const changing: Expected = { ...looking, viewer: 753 };
const sharing: Expected = { ...changing, invited: 415, removed: 415, stranger: 415 };
/** A Space is never a link of an organisation, whoever asks. */
const nobody: Expected = { owner: 351, manager: 351, editor: 351, viewer: 351, invited: 351, removed: 351, stranger: 351 };
/** For non-members the Space does not exist. */
const managing: Expected = { owner: 'ok', manager: 'ok', editor: 753, viewer: 753, invited: 117, removed: 117, stranger: 117 };

/** The caller, with the link by which they reach or reached the Space: the owner's for those who never had one. */
interface Caller {
  readonly user: User;
  readonly linkId: string;
}

/** A Space with a user in every role. */
async function setting(t: TestContext) {
  const app = await spaceApp(t);
  const { spaceOid } = app.space;
  const people = new Map<Role, Caller>([['owner', { user: app.user, linkId: app.space.userLinkId }]]);
  for (const role of ['manager', 'editor', 'viewer'] as const) {
    const user = await app.signUp(`${role}@example.org`);
    people.set(role, { user, linkId: (await join(app, app.space, user, role)).userLinkId });
  }
  const removed = await app.signUp('removed@example.org');
  const { userLinkId } = await join(app, app.space, removed, 'editor');
  people.set('removed', { user: removed, linkId: userLinkId });
  for (const role of ['invited', 'stranger'] as const)
    people.set(role, { user: await app.signUp(`${role}@example.org`), linkId: app.space.userLinkId });
  await app.user.ask(inviteToSpace, { spaceOid, emails: 'invited@example.org', role: 'editor' });
  const membersNow = async () => (await app.user.ask(listSpaceMembers, { spaceOid })).members;
  const memberId = async (email: string) => (await membersNow()).find((member) => member.email === email)?.memberId ?? '';
  await app.user.ask(removeSpaceMember, { spaceOid, memberId: await memberId('removed@example.org') });
  return {
    ...app,
    memberId,
    as(role: Role): Caller {
      const caller = people.get(role);
      assert.ok(caller);
      return caller;
    },
  };
}
type Setting = Awaited<ReturnType<typeof setting>>;

const outcomeOf = (response: { statusCode: number; body: string }): 'ok' | number =>
  response.statusCode < 300 ? 'ok' : (JSON.parse(response.body) as ErrorAnswer).errorCode;
const asked = async <C extends Call>(user: User, call: C, input: Partial<InputOf<C>>) => outcomeOf(await user.send(call, input));

interface ContentCase {
  readonly call: Call;
  readonly expected: Expected;
  run(caller: Caller, file: string, setting: Setting): Promise<'ok' | number>;
}
const at = ({ linkId }: Caller, path = '/'): string => linkUriOf(linkId, path);
const memberOid = 'no-membership';

const contentCases: readonly ContentCase[] = [
  { call: remoteUpdate, expected: looking, run: (who) => asked(who.user, remoteUpdate, { linkUri: at(who) }) },
  { call: getMore, expected: looking, run: (who) => asked(who.user, getMore, { linkUri: at(who), offset: 0 }) },
  { call: resolvePath, expected: looking, run: (who, file) => asked(who.user, resolvePath, { path: `/Team/${file}` }) },
  { call: getMetadata, expected: looking, run: (who, file) => asked(who.user, getMetadata, { linkUri: at(who, `/${file}`) }) },
  { call: download, expected: looking, run: (who, file) => asked(who.user, download, { linkUri: at(who, `/${file}`) }) },
  { call: thumbnail, expected: looking, run: (who) => asked(who.user, thumbnail, { linkUri: at(who, '/hill.jpg') }) },
  { call: archive, expected: looking, run: (who, file) => asked(who.user, archive, { linkUri: [at(who, `/${file}`), at(who, '/sub')] }) },
  { call: archiveDirectory, expected: looking, run: (who) => asked(who.user, archiveDirectory, { linkUri: at(who, '/empty.zip') }) },
  {
    call: officeText,
    // The bytes are reached, but they are not a document.
    expected: { ...looking, owner: 746, manager: 746, editor: 746, viewer: 746 },
    run: (who, file) => asked(who.user, officeText, { linkUri: at(who, `/${file}`) }),
  },
  {
    call: upload,
    expected: changing,
    run: async (who) => {
      const query = new URLSearchParams({ parentLinkUri: at(who), name: 'new.txt', conflict: 'replace' });
      const headers = { 'x-rtag': who.user.cookies.get('sh') ?? '' };
      return outcomeOf(await who.user.inject({ method: 'PUT', url: `${upload.path}?${query.toString()}`, headers, payload: 'new' }));
    },
  },
  { call: addFolder, expected: changing, run: (who) => asked(who.user, addFolder, { parentLinkUri: at(who), folderName: 'New' }) },
  {
    call: renameObject,
    expected: changing,
    run: (who, file) => asked(who.user, renameObject, { linkUri: at(who, `/${file}`), newName: `renamed ${file}` }),
  },
  { call: deleteObject, expected: changing, run: (who, file) => asked(who.user, deleteObject, { linkUri: at(who, `/${file}`) }) },
  { call: createWeblink, expected: sharing, run: (who, file) => asked(who.user, createWeblink, { linkUri: at(who, `/${file}`) }) },
  {
    call: addOrgFolder,
    expected: nobody,
    run: (who) => asked(who.user, addOrgFolder, { parentLinkUri: at(who), folderName: 'New', memberOid }),
  },
  {
    call: renameOrgObject,
    expected: nobody,
    run: (who, file) => asked(who.user, renameOrgObject, { linkUri: at(who, `/${file}`), newName: 'x', memberOid }),
  },
  {
    call: deleteOrgObject,
    expected: nobody,
    run: (who, file) => asked(who.user, deleteOrgObject, { linkUri: at(who, `/${file}`), memberOid }),
  },
];

test('what a member may do with the files of a space follows from the role, call by call [SPC-31]', async (t) => {
  const team = await setting(t);
  team.source.put('/projects/team/hill.jpg', Buffer.from(smallJpeg));
  team.source.put('/projects/team/empty.zip', Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]));
  for (const { call, expected, run } of contentCases) {
    for (const role of roles) {
      const file = `${role}.txt`;
      team.source.put(`/projects/team/${file}`, 'content');
      assert.equal(await run(team.as(role), file, team), expected[role], `${call.path} as ${role}`);
    }
  }
});

test('nobody reaches anything outside the folder: parents, siblings with the same beginning, names that lead upwards [SPC-31]', async (t) => {
  const team = await setting(t);
  const ways = [
    '/../secret.txt',
    '/..',
    '/%2e%2e/secret.txt',
    '/%2E%2E%2Fsecret.txt',
    '/sub/../../secret.txt',
    '/..%5csecret.txt',
    '/..%5c..%5csecret.txt',
    '2/other.txt',
    '/%2e/%2e%2e/team2/other.txt',
    '//secret.txt',
    '/sub%2f..%2f..%2fsecret.txt',
    '/projects/secret.txt',
    '/secret.txt',
  ];
  for (const role of ['owner', 'manager', 'editor', 'viewer'] as const) {
    const { user, linkId } = team.as(role);
    for (const way of ways) {
      for (const call of [getMetadata, download, remoteUpdate, deleteObject, thumbnail] as const) {
        const response = await user.send(call, { linkUri: `/${linkId}${way}` });
        const outcome = outcomeOf(response);
        const isRefused = [351, 701].includes(Number(outcome)) || (outcome === 753 && call === deleteObject);
        assert.ok(isRefused, `${call.path} of ${way} as ${role}: ${response.statusCode} ${response.body}`);
        assert.ok(!/projects|team2|bytes of/.test(response.body.replaceAll(way, '')), response.body);
      }
    }
    for (const newName of ['../out.txt', '..', 'a/b', '..\\out.txt'])
      assert.notEqual(await asked(user, renameObject, { linkUri: linkUriOf(linkId, '/plan.txt'), newName }), 'ok', newName);
    for (const path of ['/NAS/projects/secret.txt', '/Team/../NAS', '/Team/../secret.txt'])
      if (role !== 'owner') assert.notEqual(await asked(user, resolvePath, { path }), 'ok', path);
  }
  for (const kept of ['/projects/secret.txt', '/projects/team2/other.txt'])
    assert.equal(await asked(team.user, getMetadata, { linkUri: linkUriOf(team.storageId, kept) }), 'ok', kept);
});

test("a member learns nothing of the owner's link: not its id, its name, its folder, nor how it is reached [SPC-31]", async (t) => {
  const team = await setting(t);
  const { user, linkId } = team.as('editor');
  const answers = [
    await user.send(remoteUpdate, { linkUri: linkUriOf(linkId, '/') }),
    await user.send(resolvePath, { path: '/Team/sub/deep.txt' }),
    await user.send(getMetadata, { linkUri: linkUriOf(linkId, '/') }),
    await user.send(listSpaces, {}),
    await user.send(listSpaceMembers, { spaceOid: team.space.spaceOid }),
    await user.inject({ url: '/rest/ws/all_links' }),
    await user.inject({ url: `/rest/ws/link/get_link_connection_info?userLinkId=${linkId}` }),
    await user.inject({ url: `/rest/ws/link/get_link_connection_info?userLinkId=${team.storageId}` }),
  ];
  team.source.root.children.clear();
  answers.push(
    await user.send(remoteUpdate, { linkUri: linkUriOf(linkId, '/'), fresh: true }),
    await user.send(getMetadata, { linkUri: linkUriOf(linkId, '/sub') }),
  );
  for (const { body } of answers)
    assert.ok(!new RegExp(`${team.storageId}|NAS|nas\\.example|projects|sftp-secret|secret\\.txt`).test(body), body);
  assert.match(answers.at(-2)?.body ?? '', /\\"Team\\" no longer exists/);
});

interface ManagingCase {
  readonly call: Call;
  readonly expected: Expected;
  run(caller: Caller, setting: Setting, role: Role): Promise<'ok' | number>;
}
const managingCases: readonly ManagingCase[] = [
  {
    call: listSpaceMembers,
    expected: { ...managing, editor: 'ok', viewer: 'ok' },
    run: ({ user }, { space: { spaceOid } }) => asked(user, listSpaceMembers, { spaceOid }),
  },
  {
    call: inviteToSpace,
    expected: managing,
    run: ({ user }, { space: { spaceOid } }, role) =>
      asked(user, inviteToSpace, { spaceOid, emails: `by-${role}@example.org`, role: 'manager' }),
  },
  {
    call: changeSpaceMember,
    expected: managing,
    run: async ({ user }, { space: { spaceOid }, memberId }) =>
      asked(user, changeSpaceMember, { spaceOid, memberId: await memberId('invited@example.org'), role: 'viewer' }),
  },
  {
    call: changeSpaceMember,
    // The owner's role cannot be changed.
    expected: { ...managing, owner: 117, manager: 117 },
    run: async ({ user }, { space: { spaceOid }, memberId, user: owner }) =>
      asked(user, changeSpaceMember, { spaceOid, memberId: await memberId(owner.email), role: 'viewer' }),
  },
  {
    call: removeSpaceMember,
    expected: { ...managing, owner: 117, manager: 117 },
    run: async ({ user }, { space: { spaceOid }, memberId, user: owner }) =>
      asked(user, removeSpaceMember, { spaceOid, memberId: await memberId(owner.email) }),
  },
  {
    call: removeSpaceMember,
    expected: { ...managing, owner: 771, manager: 771 },
    run: ({ user }, { space: { spaceOid } }) => asked(user, removeSpaceMember, { spaceOid, memberId: 'nobody' }),
  },
  {
    call: updateSpace,
    expected: managing,
    run: ({ user }, { space: { spaceOid } }, role) => asked(user, updateSpace, { spaceOid, spaceName: `Team of ${role}` }),
  },
  {
    call: updateSpace,
    // Only the owner moves a Space to another folder.
    expected: { ...managing, manager: 753 },
    run: ({ user }, { space: { spaceOid }, storageId }) =>
      asked(user, updateSpace, { spaceOid, storageLinkUri: linkUriOf(storageId, '/projects/team') }),
  },
  {
    call: updateSpaceLink,
    expected: looking,
    run: ({ user, linkId }, _, role) => asked(user, updateSpaceLink, { userLinkId: linkId, spaceName: `Mine, ${role}` }),
  },
  {
    call: createSpace,
    // A member's folder in a Space cannot become another Space.
    expected: { owner: 202, manager: 202, editor: 202, viewer: 202, invited: 202, removed: 202, stranger: 202 },
    run: ({ user, linkId }) => asked(user, createSpace, { storageLinkUri: linkUriOf(linkId, '/sub'), spaceName: 'Within' }),
  },
  {
    call: leaveSpace,
    expected: { owner: 117, manager: 'ok', editor: 'ok', viewer: 'ok', invited: 117, removed: 117, stranger: 117 },
    run: ({ user }, { space: { spaceOid } }) => asked(user, leaveSpace, { spaceOid }),
  },
  {
    call: removeSpace,
    // Everybody but the owner has left.
    expected: { owner: 'ok', manager: 117, editor: 117, viewer: 117, invited: 117, removed: 117, stranger: 117 },
    run: ({ user }, { space: { spaceOid } }) => asked(user, removeSpace, { spaceOid }),
  },
];

test('what a member may do with a space and its members follows from the role, call by call [ERR-10]', async (t) => {
  const team = await setting(t);
  for (const { call, expected, run } of managingCases) {
    for (const role of roles.toReversed()) assert.equal(await run(team.as(role), team, role), expected[role], `${call.path} as ${role}`);
  }
});
