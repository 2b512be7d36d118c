import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const sources = join(import.meta.dirname, '..');

test('no key that tries are counted by holds the address of a client: a customer has 2⁶⁴ addresses of IPv6', () => {
  const keys = globSync('**/*.ts', { cwd: sources, exclude: ['**/*.test.ts', 'testing/**'] }).flatMap((file) =>
    [...readFileSync(join(sources, file), 'utf8').matchAll(/`[^`]*\bfrom \$\{([^`]+)\}[^`]*`|count\(`([^`]*)`/g)].map(([text]) => ({
      file,
      text,
    })),
  );
  const counted = keys.filter(({ text }) => /\$\{(?:\w+\.)*(?:address|ip)\}/.test(text));
  assert.ok(keys.length > 10, 'the keys are found');
  assert.deepEqual(counted, []);
});
