import { type ScreenWords, networkFault } from './error-words.ts';
import { familyCaptions, groupSentences, screenTable } from './screen-table.ts';

/** The English words of questions and source cards, without those of errors. */
export const englishScreenWords: ScreenWords = {
  locale: 'en-GB',
  faults: networkFault,
  screen: screenTable,
  // The catalogue's own.
  sources: {},
  families: familyCaptions,
  groups: groupSentences,
  quoted: (name) => `"${name}"`,
};
