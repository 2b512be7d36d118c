import { type CardForm, tokenizeSandboxCard } from '@sheaf/contract';
import { CardError, type CardTokenizer } from './tokenizer.ts';

/** How long the test card without an answer is waited for, in ms. */
const answerAfter = 3000;

/** Tokens of test cards, made in the browser: no card number is sent. `wait` resolves after so many ms. */
export function createSandboxTokenizer(wait: (ms: number) => Promise<void> = later): CardTokenizer {
  return {
    async tokenize(card) {
      const made = tokenizeSandboxCard({ ...card, year: wholeYear(card) }, crypto.randomUUID());
      if ('token' in made) return made.token;
      if (made.failure === 'timeout') await wait(answerAfter);
      throw new CardError(made.failure);
    },
  };
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Expands a year of two digits, as printed on cards. */
const wholeYear = ({ year }: CardForm): string => (/^\d{2}$/.test(year.trim()) ? `20${year.trim()}` : year.trim());
