import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = join(import.meta.dirname, '../..');
const styles = dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles/baseline.layer.css')));

test('each component of the library that a page uses has its styles', async () => {
  const listed = await readFile(join(import.meta.dirname, 'library-styles.ts'), 'utf8');
  const missing = new Set<string>();
  let count = 0;
  for await (const file of glob('**/*.tsx', { cwd: source })) {
    const text = await readFile(join(source, file), 'utf8');
    for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of names.split(',').map((one) => one.trim().split(' as ')[0] ?? '')) {
        if (!existsSync(join(styles, `${name}.layer.css`))) continue;
        count += 1;
        if (!listed.includes(`styles/${name}.layer.css`)) missing.add(`${name} in ${file}`);
      }
  }
  assert.ok(count > 20, `${count} uses`);
  assert.deepEqual([...missing], []);
});
