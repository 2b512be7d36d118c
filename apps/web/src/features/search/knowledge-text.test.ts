import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledgeText } from './knowledge-text.ts';

const link = (name: string, foldersKnown: number, foldersTotal: number, oldestLook?: number) => ({
  userLinkId: name,
  name,
  foldersKnown,
  foldersTotal,
  ...(oldestLook !== undefined && { oldestLook }),
});

test('the search says how much it knows, naming the link of which it knows least', () => {
  const hours = 3_600_000;
  assert.equal(knowledgeText([]), 'You have no links to search yet.');
  assert.equal(knowledgeText([link('NAS', 4, 4, 0)], 3 * hours), 'The link is fully known. Oldest look 3 h ago.');
  assert.equal(
    knowledgeText([link('NAS', 4, 4, 2 * hours), link('University', 812, 900, 0), link('Drive', 1, 2, hours)], 3 * hours),
    '1 of 3 links fully known. University: 812 of about 900 folders known. Oldest look 3 h ago.',
  );
  assert.equal(knowledgeText([link('NAS', 0, 1)]), 'NAS: not looked at yet.');
});
