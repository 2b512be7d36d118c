import assert from 'node:assert/strict';
import { fitName } from '../kit/names/fit-name.ts';
import { parentOf } from '../kit/names/path.ts';
import { type Setting, ask, assertHolds } from './setting.ts';

/** Names that programs often damage, keyed by what is special about them. */
export const hardNames: Readonly<Record<string, string>> = {
  'spaces inside': 'a name  with spaces',
  'leading spaces': '  leading',
  'trailing spaces': 'trailing  ',
  'a hash': 'notes #1',
  'percent signs': '100% %',
  'an ampersand and a plus': 'you & me + them',
  quotes: `it's "quoted" \`twice\``,
  'leading dots': '..hidden',
  'three dots': '...',
  'a trailing dot': 'ends.',
  backslashes: 'C:\\folder\\file',
  'an encoded slash': 'a%2Fb',
  'an encoded dot': '%2e%2e',
  'a question mark': 'really? yes',
  'shell signs': '$HOME;ls|*[a-z]{1,2}<>!~',
  'a leading dash': '-rf',
  'a leading tilde': '~root',
  'a colon and an at sign': 'http:@host',
  'an equals sign and a semicolon': 'a=b;type=a',
  emoji: '👩‍👩‍👧 🏳️‍🌈',
  CJK: '資料夾 ファイル 파일',
  'right to left': 'שלום مرحبا',
  'angle brackets of markup': '<b>&amp;<b>',
  '255 bytes of ASCII': 'x'.repeat(255),
  '255 bytes of CJK': '漢'.repeat(85),
  'a tab': 'tab\tstop',
  'a newline': 'two\nlines',
  'a control character': 'bell\u0007',
};

/** Pairs of different names that some programs treat as equal. */
export const twins: Readonly<Record<string, readonly [string, string]>> = {
  'composed and decomposed accents': ['Caf\u00e9', 'Cafe\u0301'],
  'capitals and small letters': ['README', 'readme'],
  'a slash encoded and spelt': ['a%2Fb', 'a%252Fb'],
  'a space and a plus': ['a b', 'a+b'],
};

/** Promises about names: they are preserved in both directions and in every position of a path. */
export function namePromises(setting: Setting): void {
  const { folder, put, get, createFolder } = setting;
  const bad = setting.traits.badNames ?? [];

  for (const [what, name] of Object.entries(hardNames)) {
    if (setting.traits.unlistedNames?.includes(name)) continue;
    if (bad.includes(name))
      setting.promise(`a name with ${what} is refused as badName`, ['write'], async () => {
        const at = await folder();
        await assert.rejects(put(`${at}/${name}`, 'x'), { kind: 'badName' });
        if (setting.can('createFolder')) await assert.rejects(createFolder(`${at}/${name}`), { kind: 'badName' });
        await assertHolds(setting, at, []);
      });
    else
      setting.promise(`a name with ${what} is preserved`, ['write'], async () => {
        const at = await folder();
        const path = setting.can('createFolder') ? `${at}/${name}/${name}` : `${at}/${name}`;
        if (setting.can('createFolder')) assert.equal((await createFolder(`${at}/${name}`)).name, name);
        assert.equal((await put(path, what)).name, name);
        await assertHolds(setting, at, [name]);
        await assertHolds(setting, parentOf(path), [name]);
        assert.equal((await setting.connector().stat(path, ask())).name, name);
        assert.equal((await get(path)).toString(), what);
        await renameAndBack(setting, `${at}/${name}`, name);
        if (!setting.can('remove')) return;
        await setting.remove(`${at}/${name}`);
        await assertHolds(setting, at, []);
      });
  }

  setting.promise('its rules predict exactly which names it refuses, and their fitted names can be stored', ['write'], async () => {
    const { names: rules } = setting.connector().limits ?? {};
    const at = await folder();
    const stored: string[] = [];
    for (const [what, name] of Object.entries(hardNames)) {
      if (setting.traits.unlistedNames?.includes(name)) continue;
      const fitted = fitName(rules, name, 'file', at);
      assert.ok(fitted, what);
      assert.equal(fitted.name === name, !bad.includes(name), `${what}: ${fitted.name}`);
      if (fitted.name === name) continue;
      await put(`${at}/${fitted.name}`, what);
      stored.push(fitted.name);
    }
    await assertHolds(setting, at, stored);
  });

  for (const [what, pair] of Object.entries(twins))
    if (!pair.some((name) => bad.includes(name)))
      setting.promise(`names that differ in ${what} can exist in one folder`, ['write'], async () => {
        const at = await folder();
        for (const name of pair) await put(`${at}/${name}`, name);
        await assertHolds(setting, at, pair);
        for (const name of pair) assert.equal((await get(`${at}/${name}`)).toString(), name);
      });
}

async function renameAndBack(setting: Setting, at: string, name: string): Promise<void> {
  if (!setting.can('rename')) return;
  await setting.rename(`${at}/${name}`, 'plain');
  await assertHolds(setting, at, ['plain']);
  assert.equal((await setting.rename(`${at}/plain`, name)).name, name);
  await assertHolds(setting, at, [name]);
}
