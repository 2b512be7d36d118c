import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { collect } from '../../../kit/body/body.ts';
import { ask, listed, namesIn, startDriveTest, textOf, write } from './testing/drive.ts';

describe("special cases of Drive's items", () => {
  const { google, open, envOf, mara } = startDriveTest();
  const put = () => google().put;

  test('items of one name are distinguished by a mark that remains when the other is deleted, and each is reached by its own', async () => {
    const folder = put().folder(mara(), 'twins');
    put().file(mara(), 'report.txt', 'first', folder);
    put().file(mara(), 'report.txt', 'second', folder);
    put().folder(mara(), 'report.txt', folder);
    const connector = open();
    const entries = await listed(connector, '/twins');
    const marked = [...entries.keys()];
    assert.equal(marked.length, 3);
    for (const name of marked) assert.match(name, /^report \(~[0-9a-f]{8}\)\.txt$/);
    const files = marked.filter((name) => entries.get(name)?.kind === 'file');
    assert.deepEqual((await Promise.all(files.map((name) => textOf(connector, `/twins/${name}`)))).sort(), ['first', 'second']);
    // The plain name matches none of them, and a fourth file cannot use it.
    await assert.rejects(connector.stat('/twins/report.txt', ask()), { kind: 'notFound' });
    await assert.rejects(write(connector, '/twins/report.txt', 'third'), { kind: 'alreadyExists' });
    const [one = '', two = ''] = files;
    await write(open(), `/twins/${one}`, 'replaced');
    assert.equal(await textOf(open(), `/twins/${one}`), 'replaced');
    await open().remove?.(`/twins/${two}`, ask());
    assert.equal((await listed(open(), '/twins')).size, 2);
  });

  test('names that a path cannot contain are shown encoded, and resolve back', async () => {
    const folder = put().folder(mara(), 'hostile');
    const names = ['a/b', '..', '.', '', 'nul\0', '⧸', `it's "quoted" \\ name`, ' and trashed = true', '␛'];
    for (const name of names) put().file(mara(), name, `this is ${name}`, folder);
    const shown = await namesIn(open(), '/hostile');
    assert.equal(shown.length, names.length);
    for (const name of shown) assert.ok(!name.includes('/') && name !== '' && name !== '.' && name !== '..', name);
    const texts = await Promise.all(shown.map((name) => textOf(open(), `/hostile/${name}`)));
    assert.deepEqual(texts.sort(), names.map((name) => `this is ${name}`).sort());
    await assert.rejects(write(open(), '/hostile/half \ud800', 'x'), { kind: 'badName' });
  });

  test("Google's documents are returned in office formats, without a size, and are not replaced by bytes", async () => {
    const folder = put().folder(mara(), 'documents');
    put().document(mara(), 'Letter', 'document', 'Dear all, here is the letter.', folder);
    put().document(mara(), 'Sums', 'spreadsheet', '1,2', folder);
    put().document(mara(), 'Talk', 'presentation', 'slides', folder);
    put().document(mara(), 'Sketch', 'drawing', 'lines', folder);
    put().document(mara(), 'Survey', 'form', 'questions', folder);
    const connector = open();
    const entries = await listed(connector, '/documents');
    assert.deepEqual([...entries.keys()].sort(), ['Letter.docx', 'Sketch.pdf', 'Sums.xlsx', 'Survey', 'Talk.pptx']);
    const letter = entries.get('Letter.docx');
    assert.equal(letter?.size, undefined);
    assert.equal(letter?.mimeType, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document');
    assert.equal(await textOf(open(), '/documents/Letter.docx'), 'Dear all, here is the letter.');
    const part = await connector.read('/documents/Letter.docx', { ...ask(), range: { start: 5, end: 8 } });
    assert.equal((await collect(part)).toString(), 'all');
    await assert.rejects(connector.read('/documents/Letter.docx', { ...ask(), range: { start: 500 } }), { kind: 'badRange' });
    await assert.rejects(connector.read('/documents/Survey', ask()), { kind: 'unsupported' });
    await assert.rejects(write(connector, '/documents/Letter.docx', 'bytes'), { kind: 'unsupported' });
    await assert.rejects(write(connector, '/documents/Letter.docx', 'bytes', { ifExists: 'fail' }), { kind: 'alreadyExists' });
    assert.equal(await textOf(open(), '/documents/Letter.docx'), 'Dear all, here is the letter.');
  });

  test('a document is renamed, moved and copied as a document, and keeps its extension', async () => {
    const folder = put().folder(mara(), 'renamed');
    const letter = put().document(mara(), 'Letter', 'document', 'Dear all', folder);
    const connector = open();
    assert.equal((await connector.rename?.('/renamed/Letter.docx', 'Note.docx', ask()))?.name, 'Note.docx');
    assert.equal(letter.name, 'Note');
    await assert.rejects(async () => connector.rename?.('/renamed/Note.docx', 'Note.txt', ask()), { kind: 'badName' });
    await connector.copy?.('/renamed/Note.docx', '/renamed/Copy.docx', ask());
    assert.deepEqual(await namesIn(open(), '/renamed'), ['Copy.docx', 'Note.docx']);
    assert.equal(await textOf(open(), '/renamed/Copy.docx'), 'Dear all');
  });

  test('an export too large for its call is fetched from the URL that Drive returns', async () => {
    put().document(mara(), 'Long', 'document', Buffer.alloc(11 * 1024 * 1024, 'x'));
    assert.equal((await textOf(open(), '/Long.docx')).length, 11 * 1024 * 1024);
  });

  test('shortcuts are followed: read, listed and written through, and removed by themselves', async () => {
    const real = put().folder(mara(), 'real');
    const file = put().file(mara(), 'file.txt', 'the real one', real);
    const links = put().folder(mara(), 'links');
    put().shortcut(mara(), 'to file', file.id, links);
    put().shortcut(mara(), 'to folder', real.id, links);
    put().shortcut(mara(), 'to nothing', 'gone', links);
    const connector = open();
    const entries = await listed(connector, '/links');
    assert.deepEqual(
      [...entries].map(([name, { kind, size }]) => [name, kind, size]),
      [
        ['to file', 'file', 12],
        ['to folder', 'folder', undefined],
        ['to nothing', 'file', undefined],
      ],
    );
    const areLinks = ['/links/to file', '/links/to folder', '/real', '/real/file.txt'].map(
      async (path) => (await connector.lstat?.(path, ask()))?.isLink,
    );
    assert.deepEqual(await Promise.all(areLinks), [true, true, undefined, undefined]);
    assert.ok([...entries.values()].every(({ isLink }) => isLink));
    assert.equal(await textOf(connector, '/links/to folder/file.txt'), 'the real one');
    assert.equal((await write(connector, '/links/to file', 'written through')).size, 15);
    assert.equal(await textOf(open(), '/real/file.txt'), 'written through');
    await assert.rejects(connector.read('/links/to nothing', ask()), { kind: 'notFound' });
    await connector.remove?.('/links/to nothing', ask());
    await connector.remove?.('/links/to folder', ask());
    assert.deepEqual(await namesIn(open(), '/links'), ['to file']);
    assert.deepEqual(await namesIn(open(), '/real'), ['file.txt']);
  });

  test('a folder with a shortcut to itself is copied once, and the copy has a shortcut too', async () => {
    const circle = put().folder(mara(), 'circle');
    put().shortcut(mara(), 'round', circle.id, circle);
    put().file(mara(), 'file', 'x', circle);
    const connector = open();
    await connector.copy?.('/circle', '/circle copied', ask());
    assert.deepEqual(await namesIn(open(), '/circle copied'), ['file', 'round']);
    assert.deepEqual(await namesIn(open(), '/circle copied/round'), ['file', 'round']);
  });

  test('shared drives are in a separate folder next to the contents of My Drive, even when an item there has its name', async () => {
    const theo = envOf('theo@example.org');
    const team = put().drive('Team', google().oauth.accounts);
    put().file(mara(), 'plan.txt', 'the plan', team);
    const connector = open(theo);
    assert.deepEqual(await namesIn(connector, '/'), ['Shared drives']);
    assert.deepEqual(await namesIn(connector, '/Shared drives'), ['Team']);
    assert.equal(await textOf(connector, '/Shared drives/Team/plan.txt'), 'the plan');
    await write(connector, '/Shared drives/Team/new.txt', 'from Theo');
    await connector.createFolder?.('/Shared drives/Team/folder', ask());
    await connector.move?.('/Shared drives/Team/new.txt', '/Shared drives/Team/folder/new.txt', ask());
    assert.equal(await textOf(open(), '/Shared drives/Team/folder/new.txt'), 'from Theo');
    const refused: readonly (() => Promise<unknown> | undefined)[] = [
      () => connector.createFolder?.('/Shared drives/Mine', ask()),
      () => connector.remove?.('/Shared drives', ask()),
      () => connector.rename?.('/Shared drives/Team', 'Ours', ask()),
      () => connector.remove?.('/', ask()),
    ];
    for (const change of refused) await assert.rejects(async () => change(), { kind: 'unsupported' });
    await assert.rejects(async () => connector.createFolder?.('/Shared drives', ask()), { kind: 'alreadyExists' });
    const found = (await Array.fromAsync(connector.search?.('/', { ...ask(), query: 'plan' }) ?? [])).flat();
    assert.deepEqual(
      found.map(({ path }) => path),
      ['/Shared drives/Team/plan.txt'],
    );
    const { id, email, name } = google().oauth.accounts[1] ?? assert.fail('Theo has no account');
    put().folder({ id, email, name }, 'Shared drives');
    const both = await namesIn(open(theo), '/');
    assert.equal(both.length, 2);
    const contents = await Promise.all(both.map((one) => namesIn(open(theo), `/${one}`)));
    assert.deepEqual(contents.flat(), ['Team']);
  });

  test('a search finds words inside files, and returns valid paths', async () => {
    const folder = put().folder(mara(), 'searched');
    const deep = put().folder(mara(), 'same', folder);
    put().folder(mara(), 'same', folder);
    put().file(mara(), 'kitchen.txt', 'The recipe needs saffron.', deep);
    const connector = open();
    const found = (await Array.fromAsync(connector.search?.('/searched', { ...ask(), query: 'saffron' }) ?? [])).flat();
    assert.equal(found.length, 1);
    const path = found[0]?.path ?? '';
    assert.match(path, /^\/searched\/same \(~[0-9a-f]{8}\)\/kitchen\.txt$/);
    assert.equal(await textOf(open(), path), 'The recipe needs saffron.');
  });

  test('changes report the old and new paths of a renamed and a moved item, and for an unknown one that some may be missing', async () => {
    const folder = put().folder(mara(), 'changing');
    const file = put().file(mara(), 'before', 'x', folder);
    const connector = open();
    await listed(connector, '/changing');
    const start = await connector.changes?.(undefined, ask());
    file.name = 'after';
    google().drive.note(file);
    const after = (await connector.changes?.(start?.cursor, ask())) ?? assert.fail('no changes');
    assert.deepEqual(
      after.items.map(({ path, entry }) => [path, entry?.name]),
      [
        ['/changing/before', undefined],
        ['/changing/after', 'after'],
      ],
    );
    assert.equal(after.incomplete, false);
    const forgetful = open();
    const later = await forgetful.changes?.(after.cursor, ask());
    assert.deepEqual(later?.items, []);
    file.name = 'again';
    file.created -= 60_000;
    google().drive.note(file);
    assert.equal((await forgetful.changes?.(after.cursor, ask()))?.incomplete, true);
    google().drive.remove(file);
    assert.equal((await open().changes?.(after.cursor, ask()))?.incomplete, true);
  });

  test('changes are reported at every path of a file, and of two items at one path the existing one counts', async () => {
    const real = put().folder(mara(), 'really here');
    const file = put().file(mara(), 'both ways', 'x', real);
    const away = put().file(mara(), 'swapped', 'first', real);
    put().shortcut(mara(), 'a way in', real.id);
    const connector = open();
    for (const path of ['/really here', '/', '/a way in']) await listed(connector, path);
    const start = await connector.changes?.(undefined, ask());
    await write(open(), '/really here/both ways', 'longer');
    away.name = 'gone elsewhere';
    google().drive.note(away);
    put().file(mara(), 'swapped', 'second one', real);
    const told = (await connector.changes?.(start?.cursor, ask())) ?? assert.fail('no changes');
    const sizes = Object.fromEntries(told.items.map(({ path, entry }) => [path, entry?.size]));
    assert.deepEqual(sizes, {
      '/a way in/swapped': undefined,
      '/really here/both ways': 6,
      '/a way in/both ways': 6,
      '/really here/gone elsewhere': 5,
      '/really here/swapped': 10,
    });
    assert.equal(file.revisions.length, 2);
  });

  test('a cursor that is too old, or not ours, returns another and reports that more has changed', async () => {
    const connector = open();
    const start = await connector.changes?.(undefined, ask());
    google().drive.state.firstKept = google().drive.log.length + 1;
    for (const cursor of [start?.cursor, 'nonsense']) {
      const told = await connector.changes?.(cursor, ask());
      assert.equal(told?.incomplete, true);
      assert.ok(told.cursor);
    }
    google().drive.state.firstKept = 0;
  });

  test('5,000 entries come in five pages of a thousand', async () => {
    const { put, requests } = google();
    const folder = put.folder(mara(), 'many');
    for (let index = 0; index < 5000; index++) put.file(mara(), `entry ${index}`, '', folder);
    const connector = open();
    await connector.stat('/many', ask());
    const before = requests.length;
    assert.equal((await listed(connector, '/many')).size, 5000);
    const asked = requests.slice(before).map(({ operation }) => operation);
    assert.deepEqual(
      asked,
      Array.from({ length: 5 }, () => 'GET /drive/v3/files'),
    );
  });
});
