import { timingSafeEqual } from 'node:crypto';

/** Seconds of one code. One code before and after the current one is accepted, because clocks differ (RFC 6238 §5.2). */
const period = 30;
const tolerated = 1;
/** Bytes, as RFC 4226 §4 recommends. */
const secretSize = 20;

/** Loads the library with the first code. */
const library = () => import('otpauth');

/** Returns a new secret in base32, as people and apps read it. */
export async function newSecret(): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: secretSize }).base32;
}

/** The URI that an authenticator app reads from a QR code. */
export async function keyUri(secret: string, account: string): Promise<string> {
  const { TOTP } = await library();
  return new TOTP({ issuer: 'Sheaf', label: account, secret, period, digits: 6, algorithm: 'SHA1' }).toString();
}

/** The code's period, counted from the epoch; undefined when it is not valid now. */
export async function stepOf(secret: string, typed: string, now: number): Promise<number | undefined> {
  const code = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(code)) return undefined;
  const { HOTP, Secret } = await library();
  const key = Secret.fromBase32(secret);
  const present = Math.floor(now / period);
  let found: number | undefined;
  for (let step = present - tolerated; step <= present + tolerated; step++) {
    const right = HOTP.generate({ secret: key, counter: step, digits: 6 });
    if (timingSafeEqual(Buffer.from(right), Buffer.from(code))) found = step;
  }
  return found;
}
