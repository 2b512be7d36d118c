import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { Path, parentOfNew, shown } from './paths.ts';
import { type Tool, tool } from './tool.ts';

/** Most characters of a file that an agent writes. */
const longestText = 262_144;

/** Tools that add something and replace nothing. */
export const writingTools = (): Tool[] => [
  tool({
    name: 'create_folder',
    title: 'Create a folder',
    description: 'Makes a folder. Refused when the name is taken.',
    rights: 'write',
    input: Type.Object({ path: Path('The new folder; the folder above it has to exist.') }),
    async run({ path }, { agent, window, signal, note }) {
      const found = await parentOfNew(window, path);
      const { parentLinkUri, name: folderName } = found;
      await window.content.addFolder(agent.accountId, { parentLinkUri, folderName, conflict: 'fail' }, signal);
      note('agent.folder', shown(found));
      return { path: shown(found) };
    },
  }),
  tool({
    name: 'write_text',
    title: 'Write a text file',
    description: `Writes a new text file in UTF-8, ${longestText} characters at most. Refused when the name is taken: nothing is replaced.`,
    rights: 'write',
    input: Type.Object({
      path: Path('The new file; its folder has to exist.'),
      text: Type.String({ maxLength: longestText, description: 'The whole content.' }),
    }),
    async run({ path, text }, { agent, window, signal, note }) {
      const found = await parentOfNew(window, path);
      const { parentLinkUri, name } = found;
      const bytes = Buffer.from(text, 'utf8');
      const ask = { parentLinkUri, name, conflict: 'fail', size: bytes.length } as const;
      await window.content.upload(agent.accountId, ask, Readable.from([bytes]), signal);
      note('agent.write', shown(found));
      return { path: shown(found), size: bytes.length };
    },
  }),
];
