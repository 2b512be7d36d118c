import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTable } from './csv.ts';

const rows = (text: string): readonly string[][] => parseTable(text).rows;

test('cells are separated by the delimiter of the first line, and quoted ones hold anything', () => {
  assert.deepEqual(rows('a,b\n1,2\n'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  assert.deepEqual(rows('a;b\r\n"x;y";"say ""hi"""\r\n'), [
    ['a', 'b'],
    ['x;y', 'say "hi"'],
  ]);
  assert.deepEqual(rows('a\tb\n1,5\t2'), [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  assert.deepEqual(rows('"a,b";c\n1;2'), [
    ['a,b', 'c'],
    ['1', '2'],
  ]);
});

test('a line break in quotes belongs to the cell; empty lines and a mark at the beginning do not count', () => {
  assert.deepEqual(rows('\u{feff}a,b\n\n"1\n2",3\n\n'), [
    ['a', 'b'],
    ['1\n2', '3'],
  ]);
  assert.deepEqual(rows('a,b\n,\n'), [
    ['a', 'b'],
    ['', ''],
  ]);
  assert.deepEqual(rows(''), []);
});

test('an unclosed quote ends with the text, and rows beyond the limit are left out', () => {
  assert.deepEqual(rows('a,"b\nc'), [['a', 'b\nc']]);
  const { rows: first, isCut } = parseTable('x\n'.repeat(50), 10);
  assert.deepEqual([first.length, isCut], [10, true]);
  assert.equal(parseTable('x\n'.repeat(10), 10).isCut, false);
});

test('of very wide rows only the first columns are kept', () => {
  const { rows: wide, isWide } = parseTable(`${'x,'.repeat(1000)}\na,b\n`);
  assert.deepEqual([wide.map((row) => row.length), isWide], [[100, 2], true]);
  assert.equal(parseTable('a,b,c\n', 10, 3).isWide, false);
});
