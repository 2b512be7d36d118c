import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSegment } from '@sheaf/contract';
import fc from 'fast-check';
import { isKind } from './core/error.ts';
import { itemNameOf, nameOfItem } from './kit/id-tree/item-tree.ts';
import { placeOf } from './kit/object-store/object-paths.ts';
import { blobNameOf } from './providers/azure/names.ts';
import { addressOf } from './providers/b2/names.ts';
import { encodePath } from './providers/copy/client.ts';
import { pathArg } from './providers/dropbox/api.ts';
import { wirePath as ftpPath } from './providers/ftp/session.ts';
import { wirePath as gatewayPath } from './providers/gateway/api.ts';
import { childAddressOf } from './providers/onedrive/api.ts';
import { createServerPath } from './providers/sftp/paths.ts';
import { createPlaces } from './providers/webdav/places.ts';
import { connectorIds } from './registry.ts';

/** Decodes percent-encoded text to the bytes that a server reads, as latin1. */
const decoded = (address: string): string =>
  Buffer.from(address, 'utf8')
    .toString('latin1')
    .replace(/%([\dA-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const sftpPath = createServerPath('/home');
const places = createPlaces({ base: '/home', destination: 'https://dav.example' } as Parameters<typeof createPlaces>[0]);
const gateway = (path: string) => decoded(gatewayPath(path));
const key = (path: string) => `/${latin1(placeOf(path).key)}`;

/**
 * For each connector that addresses by path: what it sends for a path, as the bytes that the server reads, in latin1 and below the start
 * folder.
 */
const encoders: Readonly<Record<string, (path: string) => string>> = {
  azure: (path) => `/${latin1(blobNameOf(placeOf(path).key))}`,
  b2: (path) => `/${latin1(addressOf(`bucket/${placeOf(path).key}`).name)}`,
  copy: (path) => `/${decoded(encodePath(path))}`,
  dropbox: (path) => latin1(pathArg(path)),
  dropboxteams: (path) => latin1(pathArg(path)),
  ftp: (path) => ftpPath('/home', path).slice('/home'.length),
  googlecloud: key,
  ofs: gateway,
  s3: key,
  sftp: (path) => sftpPath(path).toString('latin1').slice('/home'.length),
  sheafgateway: gateway,
  webdav: (path) => decoded(places.address(path, 'file')).slice('/home'.length),
};

/** Connectors that resolve a path by listing its parents and address items by id: a name only selects one of the entries of its folder. */
const byId = ['autodesk', 'box', 'clouddrive', 'facebook', 'googledrive', 'instagram', 'onedrive', 'oracledocuments', 'procore', 'slack'];

/** Stores whose keys may have empty segments: there, `//` stays below the folder like any other name. */
const flat = new Set(['azure', 'b2', 'googlecloud', 's3']);

/** Names made of dots, slashes, escapes and marks in any combination, and names of any characters. */
const unit = fc.oneof(
  fc.constantFrom(
    '.',
    '.',
    '/',
    '\\',
    '\0',
    '%',
    '2',
    'e',
    'f',
    'E',
    'F',
    '5',
    'C',
    ':',
    '0',
    '\u241b',
    '\u241b',
    '\u29f8',
    '\u2215',
    '\uff0e',
    ' ',
    'a',
    '\n',
  ),
  fc.integer({ min: 0x10_fe_00, max: 0x10_fe_ff }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom('\u{10fe2e}', '\u{10fe2e}', '\u{10fe2f}', '\u{10fe00}', '\u{10fe5c}', '\u{10fec0}', '\u{10feae}', '\u{10feaf}'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const name = fc.array(unit, { minLength: 1, maxLength: 8 }).map((units) => units.join(''));
const path = fc.array(name, { minLength: 1, maxLength: 4 });

test('every connector says how it addresses items', () => {
  assert.deepEqual([...Object.keys(encoders), ...byId].sort(), [...connectorIds].sort());
});

for (const [id, encode] of Object.entries(encoders))
  test(`an accepted name stays one segment below its folder: ${id}`, () => {
    let accepted = 0;
    fc.assert(
      fc.property(path, (names) => {
        let sent: string;
        try {
          sent = encode(`/${names.join('/')}`);
        } catch (error) {
          assert.ok(isKind(error, 'badName'), String(error));
          return;
        }
        accepted++;
        const asked = names
          .join('/')
          .split('/')
          .filter((part) => part !== '');
        const [root, ...parts] = sent.split('/');
        assert.equal(root, '');
        if (asked.length === 0) return;
        assert.equal(parts.length, asked.length);
        for (const part of parts) {
          assert.ok(!/^\.\.?$/.test(part) && !part.includes('\0'), JSON.stringify(part));
          assert.ok(!/(?:^|\\)\.\.?(?: [. ]*)?(?:\\|$)/.test(part), JSON.stringify(part));
          if (!flat.has(id)) assert.notEqual(part, '');
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(accepted > 300, `only ${accepted} paths were accepted`);
  });

test('a name in an address of OneDrive stays one segment below its folder', () => {
  fc.assert(
    fc.property(name, (text) => {
      try {
        const sent = childAddressOf({ drive: '/me/drive', id: 'folder' }, text);
        assert.ok(isSegment(text));
        assert.match(sent, /^\/me\/drive\/items\/folder:\/[^/]+:$/);
      } catch (error) {
        assert.ok(isKind(error, 'badName'), String(error));
      }
    }),
    { numRuns: 3000 },
  );
});

test("every name of a provider's item is shown as one segment, which leads back to the name", () => {
  fc.assert(
    fc.property(name, (text) => {
      const shown = nameOfItem(text);
      assert.ok(isSegment(shown), JSON.stringify(shown));
      assert.equal(itemNameOf(shown), text);
    }),
    { numRuns: 5000 },
  );
});
