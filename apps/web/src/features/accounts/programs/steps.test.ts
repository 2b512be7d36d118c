import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { s3Programs } from './s3-steps.ts';
import { sftpPrograms } from './sftp-steps.ts';
import { davPrograms } from './steps.ts';

const pages = join(import.meta.dirname, '../../../../../../docs/clients');
/** The pages of programs whose names on the page "Connect" are others. */
const pagesOf: Readonly<Record<string, readonly string[]>> = {
  linux: ['linux-files', 'davfs2'],
  phone: ['android', 'ios-files'],
  key: ['sftp'],
};

/** The example that the pages use; a server's test executes their commands. */
const username = 'mara-7f2kcd';
const ways = {
  dav: davPrograms('https://your.sheaf.example/dav/nas/', username),
  s3: s3Programs({ endpoint: 'https://your.sheaf.example/s3', bucket: 'nas', keyId: 'KEY-ID' }),
  sftp: sftpPrograms({ host: 'your.sheaf.example', port: 2222, folder: '/nas', username }),
};

for (const [way, programs] of Object.entries(ways))
  test(`each command of the steps for ${way} stands on the page of its program in docs/clients`, () => {
    const missing: string[] = [];
    for (const { id, steps } of programs) {
      const text = (pagesOf[id] ?? [id]).map((page) => readFileSync(join(pages, `${page}.md`), 'utf8')).join('\n');
      for (const { command = '' } of steps)
        for (const line of command.split('\n')) if (!text.includes(line.trim())) missing.push(`${id}: ${line}`);
    }
    assert.deepEqual(missing, []);
  });
