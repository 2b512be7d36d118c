import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDropbox } from '@sheaf/testbed';
import { ask, openAs } from './testing/link.ts';

const move = 'POST /2/files/move_v2';
const fine = { kind: 'slow', ms: 0 } as const;
const lost = { kind: 'lost' } as const;
const busy = { kind: 'rateLimit', retryAfter: 0 } as const;
const full = {
  kind: 'reply',
  reply: { status: 409, json: { error_summary: 'to/insufficient_space', error: { '.tag': 'to', to: { '.tag': 'insufficient_space' } } } },
} as const;

for (const [what, faults, wanted] of [
  ['Dropbox is busy at both steps', [busy, fine, busy], 'WELCOME.txt'],
  ['the answer to the first step is lost', [lost], 'Welcome.txt'],
  ['the answer to the second step is lost', [fine, lost], 'WELCOME.txt'],
  ['the second step is refused, and Dropbox busy when it is undone', [fine, full, busy], 'Welcome.txt'],
  ['the second step is refused, and the answer lost that says that it is undone', [fine, full, lost], 'Welcome.txt'],
] as const)
  test(`an item renamed only in case keeps its name or gets the new one: ${what}`, async () => {
    const simulator = await startDropbox();
    const connector = await openAs(simulator, 'mara@example.org');
    try {
      for (const fault of faults) simulator.faults.next(move, 1, fault);
      const renamed = connector.rename?.('/Welcome.txt', 'WELCOME.txt', ask());
      if (wanted === 'WELCOME.txt') assert.equal((await renamed)?.name, wanted);
      else await assert.rejects(async () => renamed);
      assert.equal((await connector.stat('/welcome.txt', ask())).name, wanted);
      const names = (await Array.fromAsync(connector.list('/', ask()))).flat().map(({ name }) => name);
      assert.ok(names.every((name) => !name.startsWith('.')));
    } finally {
      await connector.close();
      await simulator.stop();
    }
  });
