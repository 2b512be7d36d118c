import type { DialogFamily, Source, SourceGroupName } from './catalogue/source.ts';
import type { ErrorRow, MessageCode } from './error-table.ts';
import type { ReasonCode } from './reason-table.ts';
import type { ScreenKey } from './screen-table.ts';

export type ErrorDetails = Readonly<Record<string, string>>;

/** Why an error occurred, beyond its row: a code and its details. */
export interface Reason {
  readonly code: ReasonCode;
  readonly details: ErrorDetails;
}

/** The catalogue's texts about one source. */
export type SourceWords = Pick<Source, 'sentence' | 'closed'>;

/** Templates and names in one language, to word errors, questions and source cards. */
export interface ErrorWords {
  /** BCP 47 tag, for dates and lists. */
  readonly locale: string;
  readonly errors: Readonly<Record<MessageCode, Pick<ErrorRow, 'text' | 'unnamed'>>>;
  readonly reasons: Readonly<Record<ReasonCode, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<keyof typeof networkFault, string>>;
  readonly screen: Readonly<Record<ScreenKey, string>>;
  /** By provider; English is used for missing ones. */
  readonly sources: Readonly<Partial<Record<string, SourceWords>>>;
  readonly families: Readonly<Record<DialogFamily, string>>;
  readonly groups: Readonly<Record<SourceGroupName, string>>;
  readonly quoted: (name: string) => string;
}

/** Texts of faults without a parsable answer. */
export const networkFault = {
  text: 'Please check your network connection and try again.',
  noResponse: 'Cannot connect to server.',
  /** After an unexpected error: what to report to the operator. */
  reference: 'Reference: {id}',
  chunk: 'Part of the page could not be loaded. Please refresh the page.',
} as const;

/** The words that a page needs before the first error of the catalogue occurs. */
export type ScreenWords = Omit<ErrorWords, 'errors' | 'reasons' | 'fields'>;

/** Separates the names of a list in one detail; names never contain it. */
export const listSeparator = '\n';

/** Returns the sentence of an error: its template filled with its details. A placeholder without a detail stays. */
export function sentenceOf(words: ErrorWords, messageCode: MessageCode, details: ErrorDetails, reason?: Reason): string {
  const { text, unnamed } = words.errors[messageCode];
  const told = reason === undefined ? details : { ...details, reason: reasonSentenceOf(words, reason) };
  return fill(words, details['name'] === '' && unnamed !== undefined ? unnamed : text, told);
}

export const reasonSentenceOf = (words: ErrorWords, { code, details }: Reason): string => fill(words, words.reasons[code], details);

/** Words a question or remark on screen. */
export const filledScreen = (words: ScreenWords, key: ScreenKey, details: ErrorDetails): string => fill(words, words.screen[key], details);

/** Lists the placeholders of a template. */
export const placeholdersOf = (template: string): string[] => [...template.matchAll(placeholder)].map(([, name = '']) => name);

const placeholder = /\{(\w+)\}/g;

type Filling = ScreenWords & Partial<Pick<ErrorWords, 'fields'>>;

function fill(words: Filling, template: string, details: ErrorDetails): string {
  return template.replace(placeholder, (slot, name: string) => {
    const detail = details[name];
    return detail === undefined ? slot : written(words, name, detail);
  });
}

/** Formats a detail for a sentence. */
function written({ locale, fields = {}, quoted }: Filling, name: string, detail: string): string {
  if (name === 'day') return dayIn(locale, detail);
  if (name === 'field') return fields[detail] ?? quoted(detail);
  if (name === 'organisations') return new Intl.ListFormat(locale).format(detail.split(listSeparator).map(quoted));
  return detail;
}

/** Formats `2026-10-01` as `1 October 2026`. */
function dayIn(locale: string, day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}
