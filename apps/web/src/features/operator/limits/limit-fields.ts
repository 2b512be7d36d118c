import { type LimitName, type Limits, limitRanges } from '@sheaf/contract';

interface Field {
  readonly label: string;
  readonly description: string;
  /** The meaning of an empty field, in words. */
  readonly preset: string;
  /** How many of the limit's units make one of the field's. */
  readonly unit: number;
  /** The limit in words, with its number. */
  words(shown: string): string;
}

/** How each limit is typed and read. */
export const limitFields: Readonly<Record<LimitName, Field>> = {
  links: {
    label: 'Links',
    description: 'Storages that an account may link.',
    preset: 'No limit',
    unit: 1,
    words: (shown) => `${shown} links`,
  },
  shares: {
    label: 'Shared links',
    description: 'Public links that an account may have, ended ones included.',
    preset: 'No limit',
    unit: 1,
    words: (shown) => `${shown} shared links`,
  },
  transfers: {
    label: 'Transfers at once',
    description: 'Further ones wait until one has ended.',
    preset: '3',
    unit: 1,
    words: (shown) => `${shown} transfers at once`,
  },
  bandwidth: {
    label: 'Speed of transfers, MiB a second',
    description: 'Of all transfers of an account together.',
    preset: 'No limit',
    unit: 1_048_576,
    words: (shown) => `${shown} MiB a second`,
  },
};
export const limitNames = Object.keys(limitRanges) as LimitName[];

/** What the fields of a form hold. */
type LimitTexts = Readonly<Record<LimitName, string>>;

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });
const shownOf = (name: LimitName, most: number): string => number.format(most / limitFields[name].unit);

/** Limits as texts of a form. */
export const textsOf = (limits: Limits): LimitTexts => {
  const text = (name: LimitName): string => {
    const most = limits[name];
    return most === undefined ? '' : String(Math.round((most / limitFields[name].unit) * 1000) / 1000);
  };
  return { links: text('links'), shares: text('shares'), transfers: text('transfers'), bandwidth: text('bandwidth') };
};

/** The mistake in a field's text; undefined when it is valid. */
export function problemOf(name: LimitName, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const { least, most } = limitRanges[name];
  const { unit } = limitFields[name];
  const pattern = unit === 1 ? /^\d+$/ : /^\d+([.,]\d+)?$/;
  const value = amountOf(name, text);
  if (pattern.test(text.trim()) && value >= least && value <= most) return undefined;
  return `A number from ${number.format(Math.ceil((least / unit) * 1000) / 1000)} to ${number.format(Math.floor(most / unit))}, or nothing.`;
}

const amountOf = (name: LimitName, text: string): number => Math.round(Number(text.trim().replace(',', '.')) * limitFields[name].unit);

/** The limits that a valid form holds. */
export const limitsOf = (texts: LimitTexts): Limits =>
  Object.fromEntries(limitNames.flatMap((name) => (texts[name].trim() === '' ? [] : [[name, amountOf(name, texts[name])]])));

/** Limits in words, such as "5 links, 2 transfers at once". */
export const wordsOf = (limits: Limits): string =>
  limitNames
    .flatMap((name) => {
      const most = limits[name];
      return most === undefined ? [] : [limitFields[name].words(shownOf(name, most))];
    })
    .join(', ');
