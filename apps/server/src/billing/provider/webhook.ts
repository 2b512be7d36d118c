import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds by which a notification's time may differ from now. */
const tolerance = 300;

/**
 * Whether Recurly signed this body recently: the header holds a time in milliseconds and one or more hexadecimal HMAC-SHA256 of `time.body`
 * (https://docs.recurly.com/recurly-subscriptions/docs/signature-verification). `now` is in epoch seconds.
 */
export function isFromRecurly(header: string, body: Buffer, key: string, now: number): boolean {
  const [time = '', ...signatures] = header.split(',').map((part) => part.trim());
  if (!/^\d{10,16}$/.test(time)) return false;
  // The documentation says milliseconds, but its examples show seconds.
  const at = Number(time) > 100_000_000_000 ? Number(time) / 1000 : Number(time);
  if (Math.abs(now - at) > tolerance) return false;
  const expected = createHmac('sha256', key).update(`${time}.`).update(body).digest();
  return signatures.some((signature) => {
    const given = Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The object a notification is about, by Recurly's ids. */
export interface Notification {
  /** `subscription`, `charge_invoice`, `account` and others. */
  readonly objectType: string;
  readonly id: string;
  /** Set in notifications about accounts. */
  readonly accountCode?: string;
}

/** Parses a JSON notification, which only names an object; undefined for anything else. */
export function readNotification(body: Buffer): Notification | undefined {
  let read: unknown;
  try {
    read = JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof read !== 'object' || read === null) return undefined;
  const { object_type: objectType, id, account_code: accountCode } = read as Readonly<Record<string, unknown>>;
  if (typeof objectType !== 'string' || typeof id !== 'string') return undefined;
  return { objectType, id, ...(typeof accountCode === 'string' && { accountCode }) };
}
