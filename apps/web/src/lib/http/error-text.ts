import {
  type ErrorAnswer,
  type ErrorDetails,
  type ErrorWords,
  type MessageCode,
  type ReasonCode,
  networkFault,
  placeholdersOf,
  reasonSentenceOf,
  sentenceOf,
} from '@sheaf/contract';
import { ChunkError, loadChunk } from '#/lib/load-chunk.ts';
import { CallError } from './call-error.ts';

let words: ErrorWords | undefined;
let knownCodes: ReadonlySet<number> | undefined;

/** The words of all errors in use; undefined until the first error, which brings the catalogue's. */
export const currentWords = (): ErrorWords | undefined => words;

/** The words for what has no answer. */
export const faultWords = (): ErrorWords['faults'] => words?.faults ?? networkFault;

/** Words errors, questions and source cards in another language from now on. */
export function setErrorWords(next: ErrorWords | undefined): void {
  words = next;
}

/** Loads the rows of the catalogue, which a page without an error never needs. Never rejects: without them each answer is told in its own sentence. */
export async function loadErrorRows(): Promise<void> {
  if (knownCodes) return;
  const rows = await loadChunk(() => import('./error-rows.ts')).catch(() => undefined);
  if (!rows) return;
  knownCodes = rows.knownCodes;
  words ??= rows.englishWords;
}

/** An error as an answer tells of it; another version of the server may leave out fields. */
export type ErrorFields = { readonly [F in keyof ErrorAnswer]?: ErrorAnswer[F] | undefined };

/** A failure in the browser itself, such as a prompt that the user has closed; its message is the text to show. */
export class WordedError extends Error {}

/** The text to show for any thrown value: the only way from an error to the screen. */
export function errorText(error: unknown): string {
  if (error instanceof WordedError) return error.message;
  if (error instanceof ChunkError) return faultWords().chunk;
  if (!(error instanceof CallError)) return faultWords().text;
  if (error.fault === 'noResponse') return `${faultWords().noResponse} ${faultWords().text}`;
  return error.fault === 'unreadable' ? faultWords().text : errorAnswerText(error.answer);
}

/**
 * The text for an error within an answer. A row that this version does not know, or whose details are missing, is told in the answer's own sentence;
 * an unknown code in general words. Before the rows are loaded each is told in its own sentence.
 */
export function errorAnswerText(told: ErrorFields): string {
  const { errorCode = 0, messageCode = '', message = '', details = {}, reasonCode, reasonDetails = {}, requestId } = told;
  const withReference = (sentence: string): string =>
    requestId === undefined ? sentence : `${sentence} ${faultWords().reference.replace('{id}', requestId)}`;
  if (!words) return message === '' ? faultWords().text : withReference(message);
  const reason = isReason(words, reasonCode) ? { code: reasonCode, details: reasonDetails } : undefined;
  const given = reason ? { ...details, reason: '' } : details;
  if (isRow(words, messageCode) && fills(words.errors[messageCode].text, given))
    return withReference(sentenceOf(words, messageCode, details, reason));
  if (message !== '' && (knownCodes?.has(errorCode) ?? true)) return message;
  return sentenceOf(words, 'UNEXPECTED', { code: String(errorCode) });
}

/** The text for what exactly was found, if the answer tells it. */
export function reasonText({ reason, reasonCode, reasonDetails = {} }: ErrorFields): string | undefined {
  return words && isReason(words, reasonCode) && fills(words.reasons[reasonCode], reasonDetails)
    ? reasonSentenceOf(words, { code: reasonCode, details: reasonDetails })
    : reason;
}

const isRow = ({ errors }: ErrorWords, name: string): name is MessageCode => Object.hasOwn(errors, name);
const isReason = ({ reasons }: ErrorWords, name = ''): name is ReasonCode => Object.hasOwn(reasons, name);
const fills = (template: string, details: ErrorDetails): boolean => placeholdersOf(template).every((name) => details[name] !== undefined);
