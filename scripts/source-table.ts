/** Writes the README's table of sources from the catalogue and the connectors' capabilities. `node scripts/source-table.ts` updates it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connector, type Env, capabilitiesOf, findDefinition } from '../packages/connectors/src/index.ts';
import { type Source, sourceGroups, sources } from '../packages/contract/src/index.ts';

const readme = join(import.meta.dirname, '../README.md');
const marks = {
  begin: '<!-- The next lines are written by scripts/source-table.ts -->',
  end: '<!-- end of the written lines -->',
} as const;

const columns = {
  Upload: 'write',
  'New folder': 'createFolder',
  Rename: 'rename',
  Move: 'move',
  Copy: 'copy',
  Delete: 'remove',
  Pictures: 'thumbnail',
  Search: 'search',
  Usage: 'usage',
  Changes: 'changes',
} as const satisfies Record<string, keyof Connector>;

/** Connection info that every connector accepts for opening; nothing is connected. */
const info: Readonly<Record<string, string>> = {
  account: 'mara@example.org',
  accountId: 'account',
  applicationKey: 'key',
  authjson: JSON.stringify({ sheafGateway: 1, id: 'link', secret: 'secret' }),
  bucketName: 'bucket',
  domain: 'example.org',
  drive: 'drive',
  email: 'mara@example.org',
  host: 'https://example.org',
  id: 'mara',
  key: 'key',
  login: 'mara@example.org',
  member: 'mara',
  memberId: 'mara',
  name: 'Mara',
  password: 'secret',
  root: '1',
  rootId: 'root',
  secret: 'secret',
  server: 'https://example.org',
  team: 'Sheaf',
  teamId: 'team',
  teamName: 'Sheaf',
  url: 'https://example.org',
  user: 'mara',
  userId: 'mara',
  username: 'mara',
};
const nowhere = () => Promise.reject(new Error('a table needs no connection'));
const env: Env = {
  dialer: { connect: nowhere, upgrade: nowhere },
  remember: async () => undefined,
  recall: async () => undefined,
  app: { apiUrl: 'https://example.org', uploadUrl: 'https://example.org' },
  tokens: { access: nowhere },
};

async function row(source: Source): Promise<string> {
  const definition = await findDefinition(source);
  if (!definition)
    return `| ${source.title} |${Object.keys(columns)
      .map(() => ' |')
      .join('')} ${source.closed ?? ''} |`;
  const connector = await definition.open(definition.parse(info, source.provider), env);
  const can = new Set<string>(capabilitiesOf(connector));
  await connector.close();
  const cells = Object.values(columns).map((operation) => {
    if (!can.has(operation)) return '';
    return operation === 'remove' && definition.hasBin === true ? 'bin' : 'yes';
  });
  const note = source.closed === undefined ? '' : `${source.closed} Only for a compatible server that the operator names.`;
  return `| ${source.title} | ${cells.join(' | ')} | ${note} |`;
}

/** The table, one block per group of the catalogue. */
export async function sourceTable(): Promise<string> {
  const all: readonly Source[] = sources;
  const head = `| Source | ${Object.keys(columns).join(' | ')} | |\n| --- |${Object.keys(columns)
    .map(() => ' --- |')
    .join('')} --- |`;
  const blocks: string[] = [];
  for (const group of sourceGroups) {
    const rows: string[] = [];
    for (const source of all.filter((one) => one.group === group)) rows.push(await row(source));
    blocks.push(`**${group}**\n\n${head}\n${rows.toSorted((a, b) => a.localeCompare(b, 'en')).join('\n')}`);
  }
  return blocks.join('\n\n');
}

/** The README with the updated table; throws when its place is not marked. */
export function withTable(text: string, table: string): string {
  const [begin, end] = [text.indexOf(marks.begin), text.indexOf(marks.end)];
  if (begin < 0 || end < begin) throw new Error('the README has no place for the table of sources');
  return `${text.slice(0, begin + marks.begin.length)}\n\n${table}\n\n${text.slice(end)}`;
}

if (import.meta.main) writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), await sourceTable()));
