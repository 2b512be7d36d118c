import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterIn, linkFilter, markMatches, withFilter } from './query-text.ts';

const marked = (text: string, query: string): string =>
  markMatches(text, query)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test('a chip replaces its own filter and leaves the rest of the query', () => {
  const query = withFilter('tax type:image >10mb', 'type', 'type:folder');
  assert.equal(query, 'tax >10mb type:folder');
  assert.equal(withFilter(query, 'size', ''), 'tax type:folder');
  assert.equal(filterIn(query, 'size'), '>10mb');
  assert.equal(filterIn(query, 'date'), undefined);
  const named = withFilter('a', 'link', linkFilter('My "NAS" 2'));
  assert.equal(named, 'a link:"My ""NAS"" 2"');
  assert.equal(withFilter(named, 'link', ''), 'a');
});

test('the words of a query are marked without regard to case and accents', () => {
  assert.equal(marked('Årsredovisning été.pdf', 'ars ETE type:pdf'), '[Års]redovisning [été].pdf');
  assert.equal(marked('e\u0301te\u0301 旅行', 'ete 旅'), '[e\u0301te\u0301] [旅]行');
  assert.equal(marked('100% "quoted" 😀x', '"""quoted""" 😀'), '100% ["quoted"] [😀]x');
  assert.equal(marked('nothing', ''), 'nothing');
});
