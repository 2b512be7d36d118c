import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDevice } from './user-agent.ts';

test('a browser is described by its name and its system', () => {
  const agents = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux', false],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
      false,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile Safari/604.1',
      'Safari on iOS',
      true,
    ],
    ['curl/8.9.1', 'curl/8.9.1', false],
    ['', 'Unknown client', false],
  ] as const;
  for (const [agent, name, isPhone] of agents) assert.deepEqual(describeDevice(agent), { name, isPhone });
});
