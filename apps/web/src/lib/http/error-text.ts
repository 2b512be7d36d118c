import {
  type Details,
  type ErrorAnswer,
  type ErrorDetails,
  type ErrorWords,
  type MessageCode,
  type ReasonCode,
  englishWords,
  errorTable,
  foreignCodes,
  placeholdersOf,
  reasonSentenceOf,
  reasonTable,
  sentenceOf,
} from '@sheaf/contract';
import { ChunkError } from '#/lib/load-chunk.ts';
import { CallError } from './call-error.ts';

let words: ErrorWords = englishWords;

/** The words in use. */
export const currentWords = (): ErrorWords => words;

/** Words errors, questions and source cards in another language from now on. */
export function setErrorWords(next: ErrorWords): void {
  words = next;
}

/** An error as an answer tells of it; another version of the server may leave out fields. */
export type ErrorFields = { readonly [F in keyof ErrorAnswer]?: ErrorAnswer[F] | undefined };

/** A failure in the browser itself, such as a prompt that the user has closed; its message is the text to show. */
export class WordedError extends Error {}

/** The text to show for any thrown value: the only way from an error to the screen. */
export function errorText(error: unknown): string {
  if (error instanceof WordedError) return error.message;
  if (error instanceof ChunkError) return words.faults.chunk;
  if (!(error instanceof CallError)) return words.faults.text;
  if (error.fault === 'noResponse') return `${words.faults.noResponse} ${words.faults.text}`;
  return error.fault === 'unreadable' ? words.faults.text : errorAnswerText(error.answer);
}

/**
 * The text for an error within an answer. A row that this version does not know, or whose details are missing, is told in the answer's own sentence;
 * an unknown code in general words.
 */
export function errorAnswerText(told: ErrorFields): string {
  const { errorCode = 0, messageCode = '', message = '', details = {}, reasonCode, reasonDetails = {}, requestId } = told;
  const reason = isReason(reasonCode) ? { code: reasonCode, details: reasonDetails } : undefined;
  const given = reason ? { ...details, reason: '' } : details;
  if (isRow(messageCode) && fills(words.errors[messageCode].text, given)) {
    const sentence = sentenceOf(words, messageCode, details, reason);
    return requestId === undefined ? sentence : `${sentence} ${words.faults.reference.replace('{id}', requestId)}`;
  }
  if (knownCodes.has(errorCode) && message !== '') return message;
  return sentenceOf(words, 'UNEXPECTED', { code: String(errorCode) });
}

/** The text of a row that no answer told of. */
export const rowText = <N extends MessageCode>(messageCode: N, details: Details<N>): string => sentenceOf(words, messageCode, details);

/** The text for what exactly was found, if the answer tells it. */
export function reasonText({ reason, reasonCode, reasonDetails = {} }: ErrorFields): string | undefined {
  return isReason(reasonCode) && fills(words.reasons[reasonCode], reasonDetails)
    ? reasonSentenceOf(words, { code: reasonCode, details: reasonDetails })
    : reason;
}

const knownCodes: ReadonlySet<number> = new Set([...Object.values(errorTable).map(({ code }) => code), ...foreignCodes]);

const isRow = (name: string): name is MessageCode => Object.hasOwn(errorTable, name);
const isReason = (name = ''): name is ReasonCode => Object.hasOwn(reasonTable, name);
const fills = (template: string, details: ErrorDetails): boolean => placeholdersOf(template).every((name) => details[name] !== undefined);
