import type { DialogFamily, Source, SourceGroupName } from './catalogue/source.ts';
import type { ErrorRow, MessageCode } from './error-table.ts';
import type { ReasonCode } from './reason-table.ts';
import { type ScreenKey, familyCaptions, groupSentences, screenTable } from './screen-table.ts';

export type ErrorDetails = Readonly<Record<string, string>>;

/** Why an error occurred, beyond its row: a code and its details. */
export interface Reason {
  readonly code: ReasonCode;
  readonly details: ErrorDetails;
}

/** The catalogue's sentences about one source. */
export type SourceWords = Pick<Source, 'sentence' | 'closed'>;

/** Templates and names in one language: all that it takes to word errors, questions and source cards. */
export interface ErrorWords {
  /** BCP 47 tag, for dates and lists. */
  readonly locale: string;
  readonly errors: Readonly<Record<MessageCode, Pick<ErrorRow, 'text' | 'unnamed'>>>;
  readonly reasons: Readonly<Record<ReasonCode, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<keyof typeof networkFault, string>>;
  readonly screen: Readonly<Record<ScreenKey, string>>;
  /** By provider; a missing one is worded in English. */
  readonly sources: Readonly<Partial<Record<string, SourceWords>>>;
  readonly families: Readonly<Record<DialogFamily, string>>;
  readonly groups: Readonly<Record<SourceGroupName, string>>;
  readonly quoted: (name: string) => string;
}

/** Texts of faults that have no answer to read, because no parsable one arrived. */
export const networkFault = {
  text: 'Please check your network connection and try again.',
  noResponse: 'Cannot connect to server.',
  /** After an error that nobody expected: what to tell whoever runs the server. */
  reference: 'Reference: {id}',
  chunk: 'Part of the page could not be loaded. Please refresh the page.',
} as const;

/** The words that a page needs before it has met an error of the catalogue. */
export type ScreenWords = Omit<ErrorWords, 'errors' | 'reasons' | 'fields'>;

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

/** Separates the names of a list in one detail: none of them contains it. */
export const listSeparator = '\n';

/** The sentence of an error: its template filled with its details. A placeholder without its detail stays as it is. */
export function sentenceOf(words: ErrorWords, messageCode: MessageCode, details: ErrorDetails, reason?: Reason): string {
  const { text, unnamed } = words.errors[messageCode];
  const told = reason === undefined ? details : { ...details, reason: reasonSentenceOf(words, reason) };
  return fill(words, details['name'] === '' && unnamed !== undefined ? unnamed : text, told);
}

/** The sentence of a reason. */
export const reasonSentenceOf = (words: ErrorWords, { code, details }: Reason): string => fill(words, words.reasons[code], details);

/** A question or remark on screen. */
export const filledScreen = (words: ScreenWords, key: ScreenKey, details: ErrorDetails): string => fill(words, words.screen[key], details);

/** Names of the placeholders in a template. */
export const placeholdersOf = (template: string): string[] => [...template.matchAll(placeholder)].map(([, name = '']) => name);

const placeholder = /\{(\w+)\}/g;

type Filling = ScreenWords & Partial<Pick<ErrorWords, 'fields'>>;

function fill(words: Filling, template: string, details: ErrorDetails): string {
  return template.replace(placeholder, (slot, name: string) => {
    const detail = details[name];
    return detail === undefined ? slot : written(words, name, detail);
  });
}

/** A detail as it reads in a sentence. */
function written({ locale, fields = {}, quoted }: Filling, name: string, detail: string): string {
  if (name === 'day') return dayIn(locale, detail);
  if (name === 'field') return fields[detail] ?? quoted(detail);
  if (name === 'organisations') return new Intl.ListFormat(locale).format(detail.split(listSeparator).map(quoted));
  return detail;
}

/** `2026-10-01` as `1 October 2026`. */
function dayIn(locale: string, day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}
