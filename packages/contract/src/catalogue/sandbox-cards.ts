/** Outcomes of a card in the billing sandbox; each exists at real providers. */
export const sandboxOutcomes = ['success', 'declined', 'expired', 'timeout', 'needsUpdate', 'renewalDeclined'] as const;
export type SandboxOutcome = (typeof sandboxOutcomes)[number];

export interface SandboxCard {
  readonly number: string;
  readonly outcome: SandboxOutcome;
  /** Its outcome, as shown in the billing form. */
  readonly about: string;
}

/** The only cards that the sandbox accepts; no real card is among them. */
export const sandboxCards: readonly SandboxCard[] = [
  { number: '4111 1111 1111 1111', outcome: 'success', about: 'pays' },
  { number: '4000 0000 0000 0002', outcome: 'declined', about: 'is declined' },
  { number: '4000 0000 0000 0069', outcome: 'expired', about: 'has expired' },
  { number: '4000 0000 0000 0127', outcome: 'needsUpdate', about: 'has billing information that is not valid' },
  { number: '4000 0000 0000 0341', outcome: 'renewalDeclined', about: 'pays at first and is declined when it renews' },
  { number: '4000 0000 0000 0119', outcome: 'timeout', about: 'gets no answer in time' },
];

/** Values of a card form, named as in the tokenising call. */
export interface CardForm {
  readonly number: string;
  readonly month: string;
  readonly year: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly cvv: string;
}

/** Content of a sandbox token; never a card number. */
export interface SandboxToken {
  readonly outcome: SandboxOutcome;
  readonly lastFour: string;
  readonly month: number;
  readonly year: number;
  readonly holder: string;
}

/** A token, or the reason of its refusal. */
export type Tokenized = { readonly token: string } | { readonly failure: 'card' | 'timeout' };

/** Tokenises a card form, as a card provider's script would in the browser. `random` makes the token unique: it works once. */
export function tokenizeSandboxCard(form: CardForm, random: string): Tokenized {
  const digits = form.number.replace(/[\s-]/g, '');
  const card = sandboxCards.find(({ number }) => number.replaceAll(' ', '') === digits);
  const [month, year] = [Number(form.month), Number(form.year)];
  const isDate = Number.isInteger(month) && month >= 1 && month <= 12 && Number.isInteger(year) && year >= 2000 && year <= 2100;
  const holder = `${form.first_name.trim()} ${form.last_name.trim()}`.trim().toWellFormed();
  if (!card || !isDate || holder === '' || !/^\d{3,4}$/.test(form.cvv.trim())) return { failure: 'card' };
  if (card.outcome === 'timeout') return { failure: 'timeout' };
  const fields = [card.outcome, digits.slice(-4), String(month), String(year), random.replace(/[^0-9A-Za-z]/g, '')];
  return { token: `sandbox-${fields.join('-')}-${encodeURIComponent(holder)}` };
}

/** Parses a token; undefined for invalid text. */
export function readSandboxToken(token: string): SandboxToken | undefined {
  const match = /^sandbox-([A-Za-z]+)-(\d{4})-(\d{1,2})-(\d{4})-[0-9A-Za-z]{8,64}-([^\s]{1,400})$/.exec(token);
  const [, named, lastFour = '', month, year, encoded = ''] = match ?? [];
  const outcome = sandboxOutcomes.find((one) => one === named);
  const holder = decoded(encoded);
  if (!outcome || holder === undefined || Number(month) < 1 || Number(month) > 12) return undefined;
  return { outcome, lastFour, month: Number(month), year: Number(year), holder };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
