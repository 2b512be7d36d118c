import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectPlatform } from './platform.ts';

test('Mac and Windows are detected, other systems are left to the user [NAV-53] [NAV-54]', () => {
  const agent = (system: string): string => `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko)`;
  assert.equal(detectPlatform(agent('Macintosh; Intel Mac OS X 10_15_7'), 0), 'mac');
  assert.equal(detectPlatform(agent('Windows NT 10.0; Win64; x64'), 10), 'win');
  // An iPad identifies itself as a Mac.
  assert.equal(detectPlatform(agent('Macintosh; Intel Mac OS X 10_15_7'), 5), undefined);
  for (const system of ['X11; Linux x86_64', 'iPhone; CPU iPhone OS 18_0 like Mac OS X', 'Linux; Android 15; Pixel 9'])
    assert.equal(detectPlatform(agent(system), 0), undefined, system);
});
