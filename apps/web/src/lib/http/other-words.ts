import type { TestContext } from 'node:test';
import {
  type ErrorWords,
  englishWords,
  errorTable,
  familyCaptions,
  groupSentences,
  placeholdersOf,
  reasonTable,
  screenTable,
  sources,
} from '@sheaf/contract';
import { setErrorWords } from './error-text.ts';

/** A language that has no word in common with English: each code between arrows, then the details. */
function otherWord(code: string, template: string): string {
  return `→${code.toLowerCase().replaceAll('_', '·')}←${placeholdersOf(template)
    .map((name) => ` {${name}}`)
    .join('')}`;
}
const otherWords: ErrorWords = {
  locale: 'de',
  errors: Object.fromEntries(
    Object.entries(errorTable).map(([code, { text }]) => [code, { text: otherWord(code, text) }]),
  ) as unknown as ErrorWords['errors'],
  reasons: Object.fromEntries(
    Object.entries(reasonTable).map(([code, text]) => [code, otherWord(code, text)]),
  ) as unknown as ErrorWords['reasons'],
  screen: Object.fromEntries(
    Object.entries(screenTable).map(([key, text]) => [key, otherWord(key, text)]),
  ) as unknown as ErrorWords['screen'],
  sources: Object.fromEntries(sources.map(({ provider }) => [provider, { sentence: `→${provider}←`, closed: `→closed ${provider}←` }])),
  families: Object.fromEntries(Object.keys(familyCaptions).map((family) => [family, `→${family}←`])) as unknown as ErrorWords['families'],
  groups: Object.fromEntries(Object.keys(groupSentences).map((group) => [group, `→${group}←`])) as unknown as ErrorWords['groups'],
  fields: { server: '→host←' },
  faults: { text: '→fault←', noResponse: '→none←', chunk: '→chunk←', reference: '→{id}←' },
  quoted: (name) => `„${name}“`,
};

/** Lets errors, questions and source cards be worded in that language until the test ends. */
export function speakOther(t: TestContext): void {
  t.after(() => setErrorWords(englishWords));
  setErrorWords(otherWords);
}
