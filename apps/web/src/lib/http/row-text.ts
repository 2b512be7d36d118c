import { type Details, type MessageCode, englishWords, sentenceOf } from '@sheaf/contract';
import { currentWords } from './error-text.ts';

/** The text of a row that no answer told of. Its module brings all rows with it: for screens that come later than the first. */
export function rowText<N extends MessageCode>(messageCode: N, details: Details<N>): string {
  return sentenceOf(currentWords() ?? englishWords, messageCode, details);
}
