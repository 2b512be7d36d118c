import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loads } from './loads.ts';

test('a file loads a module by its own import, by those of others, in circles and late, and one that only sounds alike is another', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-loads-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'testing'));
  const files = {
    'testing/database.ts': '',
    'testing/app.ts': "import { a } from '#/testing/database.ts';",
    'testing/orgs.ts': "import {\n  type App,\n  app,\n} from './app.ts';\nimport '../circle.ts';",
    'circle.ts': "export * from './testing/orgs.ts';",
    'late.ts': "const made = () => import('#/circle.ts');",
    'database.ts': '',
    'other.ts': "import { x } from './database.ts';\nimport { join } from 'node:path';",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const reaches = loads(folder, join(folder, 'testing/database.ts'));
  const found = Object.keys(files).filter((name) => reaches(join(folder, name)));
  assert.deepEqual(found, ['testing/database.ts', 'testing/app.ts', 'testing/orgs.ts', 'circle.ts', 'late.ts']);
});
