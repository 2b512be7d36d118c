import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extendedPort, parseFacts, passivePort, quotedFolder, stampOf, timeOf } from './api.ts';
import { parseLongLine } from './listing/long-lines.ts';
import { readUsualLine } from './listing/usual-lines.ts';

const now = Date.UTC(2026, 10, 21, 12, 0);
const at = (...parts: [number, number, number, number?, number?]) => Date.UTC(...parts) / 1000;

test('long lines of Unix servers are parsed, names with their spaces kept', () => {
  assert.deepEqual(parseLongLine('-rw-r--r--    1 1000     1000         1234 Nov 21 06:16  leading and  inner ', now), {
    name: ' leading and  inner ',
    kind: 'file',
    size: 1234,
    modified: at(2026, 10, 21, 6, 16),
  });
  assert.deepEqual(parseLongLine('drwxr-xr-x   2 mara staff 4096 Jan  5  2024 2024 in pictures', now), {
    name: '2024 in pictures',
    kind: 'folder',
    modified: at(2024, 0, 5),
  });
  assert.equal(parseLongLine('-rw-r--r--+  1 mara 99 Mar  1 10:00 no group', now)?.name, 'no group');
});

test('a line without a year is from the last twelve months', () => {
  const dated = (text: string) => parseLongLine(`-rw-r--r-- 1 a b 1 ${text} x`, now)?.modified;
  assert.equal(dated('Dec 31 23:59'), at(2025, 11, 31, 23, 59));
  assert.equal(dated('Nov 21 23:00'), at(2026, 10, 21, 23, 0));
});

test('links are recognised by their target, which is removed from the name', () => {
  const found = parseLongLine('lrwxrwxrwx 1 a b 7 Nov 21 06:16 current -> v2', now);
  assert.deepEqual([found?.name, found?.isLink], ['current', true]);
});

test('long lines of Windows servers are read', () => {
  assert.deepEqual(parseLongLine('11-05-26  01:30PM       <DIR>          Program Files'), {
    name: 'Program Files',
    kind: 'folder',
    modified: at(2026, 10, 5, 13, 30),
  });
  assert.deepEqual(parseLongLine('11-05-2026  12:05AM            2048 read me.txt'), {
    name: 'read me.txt',
    kind: 'file',
    size: 2048,
    modified: at(2026, 10, 5, 0, 5),
  });
});

test('lines without an item are skipped: totals, the folder, its parent, noise', () => {
  for (const line of ['total 12', '', 'drwxr-xr-x 2 a b 4096 Nov 21 06:16 .', 'drwxr-xr-x 2 a b 4096 Nov 21 06:16 ..', 'hello'])
    assert.equal(parseLongLine(line, now), undefined, line);
  for (const line of ['type=cdir;modify=20261121061600; .', 'type=pdir; ..', 'type=file;']) assert.equal(parseFacts(line), undefined, line);
});

test('facts are parsed in any case and order, and unknown ones skipped', () => {
  assert.deepEqual(parseFacts('Size=12;Modify=20261121061600.123;UNIX.mode=0644;Type=file; a=b; c'), {
    name: 'a=b; c',
    kind: 'file',
    size: 12,
    modified: at(2026, 10, 21, 6, 16),
  });
  assert.equal(parseFacts('type=OS.unix=slink:/etc; etc')?.isLink, true);
});

test('bytes that are not UTF-8 still form a name', () => {
  const latin1 = 'type=file; caf\u00e9';
  assert.notEqual(parseFacts(latin1)?.name, 'café');
  assert.equal(parseFacts(Buffer.from('type=file; café', 'utf8').toString('latin1'))?.name, 'café');
});

test('ports and folders are read from their replies; the address of PASV is not', () => {
  assert.equal(extendedPort('Entering Extended Passive Mode (|||6446|)'), 6446);
  assert.equal(extendedPort('nonsense'), undefined);
  assert.equal(passivePort('Entering Passive Mode (10,0,0,1,25,46).'), 25 * 256 + 46);
  assert.equal(quotedFolder('"/my ""own"" files" is the current directory'), '/my "own" files');
});

test('times are converted in both directions', () => {
  assert.equal(timeOf(stampOf(1_000_000_000)), 1_000_000_000);
  assert.equal(timeOf('yesterday'), undefined);
});

const usual = (line: string) => readUsualLine(Buffer.from(`${line}\r\n`, 'latin1'), 0, line.length, now);

test('the fast parser reads usual lines like the slow one', () => {
  for (const line of [
    '-rw-r--r--    1 1000     1000         1234 Nov 21 06:16 img 1.jpg',
    'drwxr-sr-t   12 mara staff 4096 Jan  5  2024 2024',
    '-rw-r--r--    1 mara staff 9007199254740993 Dec 31 9:05 big',
    '-rw-r--r--    1 mara staff 0 Feb 29  2023  led by a blank',
    '-rw-r--r--    1 mara staff 7 Nov 22 11:59 less than a day ahead',
    '-rw-r--r--    1 mara staff 7 Nov 22 12:01 last year',
    `-rw-r--r--    1 mara staff 7 Nov 21 06:16 ${Buffer.from('naïve 漢字').toString('latin1')}`,
    '-rw-r--r--    1 mara staff 7 Nov 21 06:16 caf\u00e9 in latin1',
  ]) {
    assert.ok(usual(line), line);
    assert.deepEqual(usual(line), parseLongLine(line, now), line);
  }
});

test('an unusual line is left to the slow parser', () => {
  for (const line of [
    '-rw-r--r-- 1 mara staff 1 Foo 21 06:16 no month',
    '-rw-r--r-- 1 mara staff 1 Nov 121 06:16 no day',
    '-rw-r--r-- 1 mara staff 1 Nov 21 106:16 no time',
    '-rw-r--r-- 1 mara staff 1 Nov 21 20245 no year',
    '-rw-r--r-- 1 mara staff 1x Nov 21 06:16 no size',
    '-rw-r--r-- x mara staff 1 Nov 21 06:16 no count',
    '-rw-r--r--\t1 mara staff 1 Nov 21 06:16 another blank',
    '-rw-r--r-- 1 mara\u00a0 staff 1 Nov 21 06:16 another blank',
    '-rw-r--r-- 1 mara staff 1 Nov 21 06:16 broken\rname',
    '-rw-r--r-- 1 mara staff 1 Nov 21 06:16 ',
    '-rw-r--r-- 1 mara staff 1 Nov 21 06:16',
    '-rw-r--r-- 1 mara 1 Nov 21 06:16 7 Nov 21 06:16 two dates',
    'lrwxrwxrwx 1 mara staff 7 Nov 21 06:16 current -> v2',
    '-rw-r--r--+ 1 mara staff 1 Nov 21 06:16 more rights',
    '-rw-r--r-- 1 mara staff 1 Nov 21 06:16 ..',
    '-rw',
    '',
  ])
    assert.equal(usual(line), undefined, line);
});
