import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoment, expirationWords } from './expiration-words.ts';
import { changeOf, creationOf, draftOf, expiryOf, isComplete, newShare, nextOrder, orderOf, shareOf, sorted } from './share-link.ts';

const weblink = {
  weblinkId: '7dQmVtq2',
  name: 'dusk.jpg',
  nbrVisits: 3,
  createdTimeStamp: 1_764_000_000,
  expirationSeconds: 604_800,
  isFolder: false,
  hasPassword: true,
  sharelinkurl: 'https://sheaf.example/s/7dQmVtq2',
  linkUri: '/l1/dusk.jpg',
};

test('a dialog receives name, address, source, expiration and whether there is a password [SHR-53]', () => {
  assert.deepEqual(newShare('Server/2025/dusk.jpg', '/l1/2025/dusk.jpg'), {
    name: 'dusk.jpg',
    url: '',
    sourceFilePath: 'Server/2025/dusk.jpg',
    sourceLinkUri: '/l1/2025/dusk.jpg',
    expirationIndex: 0,
    hasPassword: false,
  });
  assert.deepEqual(shareOf(weblink), {
    name: 'dusk.jpg',
    url: 'https://sheaf.example/s/7dQmVtq2',
    sourceFilePath: 'dusk.jpg',
    sourceLinkUri: '/l1/dusk.jpg',
    expirationIndex: 2,
    hasPassword: true,
  });
});

test('creating sends source, password and seconds; without a source nothing is sent [SHR-46] [SHR-47] [SHR-54]', () => {
  const share = newShare('Server/a.txt', '/l1/a.txt');
  assert.deepEqual(creationOf(share, { password: undefined, expirationIndex: 1 }), {
    linkUri: '/l1/a.txt',
    password: '',
    expirationSeconds: 86_400,
  });
  assert.deepEqual(creationOf(share, { password: 'open', expirationIndex: 3 }), {
    linkUri: '/l1/a.txt',
    password: 'open',
    expirationSeconds: 2_592_000,
  });
  assert.equal(creationOf(newShare('Server/a.txt', ''), { password: 'open', expirationIndex: 0 }), undefined);
});

test('the four expirations stand for their seconds, and any other stored number for the first [SHR-48] [SHR-49] [SHR-50] [SHR-51] [SHR-52]', () => {
  const indexOf = (expirationSeconds: number): number => shareOf({ ...weblink, expirationSeconds }).expirationIndex;
  assert.deepEqual([0, 86_400, 604_800, 2_592_000, 3600, 604_801].map(indexOf), [0, 1, 2, 3, 0, 0]);
});

test('a change names the share by the last segment of its address [SHR-56]', () => {
  const share = shareOf(weblink);
  assert.deepEqual(changeOf(share, draftOf(share), 604_800), { weblinkUri: '7dQmVtq2', expirationSeconds: 604_800 });
});

test('an untouched expiration is sent back as it was stored', () => {
  const share = shareOf({ ...weblink, expirationSeconds: 3600 });
  assert.equal(changeOf(share, draftOf(share), 3600).expirationSeconds, 3600);
  assert.equal(changeOf(share, { ...draftOf(share), expirationIndex: 1 }, 3600).expirationSeconds, 86_400);
});

test('an edited password is sent, an emptied one as none, an untouched one not at all [SHR-44] [SHR-45]', () => {
  const share = shareOf(weblink);
  const sent = (password: string | undefined, hasPassword = true): object => {
    const {
      weblinkUri: _,
      expirationSeconds: _seconds,
      ...rest
    } = changeOf({ ...share, hasPassword }, { password, expirationIndex: 2 }, 604_800);
    return rest;
  };
  assert.deepEqual(sent('new'), { passwordChanged: true, password: 'new' });
  assert.deepEqual(sent(''), { passwordChanged: true, password: '' });
  assert.deepEqual(sent(undefined), {});
  assert.deepEqual(sent('first', false), { passwordChanged: true, password: 'first' });
  assert.deepEqual(sent('', false), {});
});

test('a share ends when the server says so, else its seconds after it was made; absent or 0 seconds never [SHR-24] [SHR-25] [SHR-26] [SHR-28]', () => {
  const { createdTimeStamp } = weblink;
  assert.equal(expiryOf({ createdTimeStamp }), undefined);
  assert.equal(expiryOf({ createdTimeStamp, expirationSeconds: 0 }), undefined);
  assert.equal(expiryOf({ createdTimeStamp, expirationSeconds: 60 }), createdTimeStamp + 60);
  assert.equal(expiryOf({ createdTimeStamp, expirationSeconds: 60, expirationTimeStamp: 1_800_000_000 }), 1_800_000_000);
});

test('the newest come first, names are ascending regardless of case, and a second press reverses the order [SHR-06] [SHR-07]', () => {
  const rows = [
    { name: 'beta', createdTimeStamp: 2 },
    { name: 'Alpha', createdTimeStamp: 1 },
    { name: 'Gamma', createdTimeStamp: 3 },
    { name: 'alpha 2', createdTimeStamp: 4 },
  ];
  const namesIn = (params: Record<string, string>): string[] => sorted(rows, orderOf(params)).map(({ name }) => name);
  assert.deepEqual(namesIn({}), ['alpha 2', 'Gamma', 'beta', 'Alpha']);
  assert.deepEqual(namesIn({ sort: 'name' }), ['Alpha', 'alpha 2', 'beta', 'Gamma']);
  assert.deepEqual(namesIn({ sort: 'name', order: 'desc' }), ['Gamma', 'beta', 'alpha 2', 'Alpha']);
  assert.deepEqual(namesIn({ sort: 'nonsense', order: 'sideways' }), ['alpha 2', 'Gamma', 'beta', 'Alpha']);
  assert.deepEqual(nextOrder(orderOf({}), 'name'), { sort: 'name', order: 'asc' });
  assert.deepEqual(nextOrder(orderOf({ sort: 'name' }), 'name'), { sort: 'name', order: 'desc' });
  assert.deepEqual(nextOrder(orderOf({ sort: 'name' }), 'created'), { sort: 'created', order: 'desc' });
});

test('the dialog says when a new share will end', () => {
  assert.equal(expirationWords(0, 0), 'Never expires');
  assert.equal(expirationWords(86_400, 1_764_000_000_000, 'en-GB'), `Expires ${formatMoment(1_764_086_400, 'en-GB')}`);
  assert.match(formatMoment(1_764_086_400, 'en-GB'), /^25 Nov 2025, \d\d:\d\d$/);
});

test('an end of its own and the other choices are sent where they differ, and saving sends no unchanged one', () => {
  const chosen = {
    ...weblink,
    expirationSeconds: 0,
    expirationTimeStamp: 1_764_500_000,
    downloadLimit: 3,
    downloads: 1,
    notifies: true as const,
  };
  const share = shareOf(chosen);
  const draft = draftOf(share);
  assert.deepEqual([share.endsAt, share.downloadLimit], [1_764_500_000, 3]);
  assert.deepEqual(changeOf(share, draft, 0), { weblinkUri: '7dQmVtq2', expirationSeconds: 0 });
  assert.deepEqual(
    changeOf(share, { ...draft, expirationIndex: 2, endsAt: undefined, downloadLimit: 0, viewOnly: true, notifies: false }, 0),
    {
      weblinkUri: '7dQmVtq2',
      expirationSeconds: 604_800,
      endsAt: 0,
      downloadLimit: 0,
      viewOnly: true,
      notifies: false,
    },
  );
  const made = creationOf(newShare('Server/a.txt', '/l1/a.txt'), { password: undefined, expirationIndex: 0, endsAt: 1_764_500_000 });
  assert.deepEqual(made, { linkUri: '/l1/a.txt', password: '', expirationSeconds: 0, endsAt: 1_764_500_000 });
  const isReady = (endsAt: number | undefined) => isComplete({ password: undefined, expirationIndex: 0, endsAt }, 1_764_000_000_000);
  assert.deepEqual([undefined, 1_763_999_999, 1_764_000_001].map(isReady), [true, false, true]);
});
