import { CardError, type CardTokenizer, type HostedField } from './tokenizer.ts';

/** The part of Recurly.js 4 that we use: https://docs.recurly.com/recurly-subscriptions/docs/elements */
export interface RecurlyJs {
  configure(options: object): void;
  Elements(): RecurlyElements;
  token(elements: RecurlyElements, customer: object, done: (error: { code?: string } | null, token?: { id: string }) => void): void;
}
interface Emitter {
  on(event: string, listener: (state: { empty?: boolean }) => void): unknown;
  off(event: string, listener: (state: { empty?: boolean }) => void): unknown;
}
type MakeElement = (options: object) => RecurlyElement;
interface RecurlyElement extends Emitter {
  attach(place: HTMLElement): unknown;
  remove(): unknown;
}
export interface RecurlyElements extends Emitter {
  CardNumberElement: MakeElement;
  CardMonthElement: MakeElement;
  CardYearElement: MakeElement;
  CardCvvElement: MakeElement;
}

/** Timeout of Recurly's answer, in ms. */
const timeout = 30_000;

/** Tokens by Recurly: the card is typed into its frames, so that its number is never on this page. */
export function createRecurlyTokenizer(recurly: RecurlyJs, publicKey: string, style: object): CardTokenizer {
  // Disables the preflight, which would load scripts of other services for 3-D Secure.
  recurly.configure({ publicKey, timeout, risk: { threeDSecure: { preflightDeviceDataCollector: false } } });
  const elements = recurly.Elements();
  const make: Readonly<Record<HostedField, MakeElement>> = {
    number: (options) => elements.CardNumberElement(options),
    month: (options) => elements.CardMonthElement(options),
    year: (options) => elements.CardYearElement(options),
    cvv: (options) => elements.CardCvvElement(options),
  };
  const made = new Map<HostedField, RecurlyElement>();
  const listeners = new Set<(field: HostedField, isFilled: boolean) => void>();

  /** One element per field: Recurly refuses a second of the same kind. */
  const elementOf = (field: HostedField, placeholder: string): RecurlyElement => {
    const known = made.get(field);
    if (known) return known;
    const element = make[field]({ style: { ...style, placeholder: { content: placeholder } } });
    element.on('change', ({ empty = true }) => {
      for (const listener of listeners) listener(field, !empty);
    });
    made.set(field, element);
    return element;
  };

  return {
    hosted: {
      attach(field, place, placeholder) {
        const element = elementOf(field, placeholder);
        element.attach(place);
        return () => void element.remove();
      },
      onFilled(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onSubmit(listener) {
        elements.on('submit', listener);
        return () => void elements.off('submit', listener);
      },
    },
    tokenize: ({ first_name, last_name }) =>
      new Promise((resolve, reject) => {
        const refuse = (error: unknown): void => reject(new CardError(isTimeout(error) ? 'timeout' : 'card', error));
        try {
          recurly.token(elements, { first_name, last_name }, (error, token) => (token ? resolve(token.id) : refuse(error)));
        } catch (error) {
          // Recurly throws for faults that it finds before sending.
          refuse(error);
        }
      }),
  };
}

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'api-timeout';
