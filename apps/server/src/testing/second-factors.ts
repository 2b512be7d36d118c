import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { addPasskey, beginPasskey, beginTotp, confirmTotp, emailLogin } from '@sheaf/contract';
import { HOTP, Secret } from 'otpauth';
import { type TestApp, type User, type Visitor, testApp } from './app.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';

const publicUrl = 'https://sheaf.example';
export const device = (verifies = true): Authenticator => createAuthenticator({ rpId: 'sheaf.example', origin: publicUrl, verifies });

export interface Stage extends TestApp {
  /** Epoch seconds of the app's clock. */
  time: number;
}

export async function stage(t: TestContext, settings: Record<string, string> = { SHEAF_PUBLIC_URL: publicUrl }): Promise<Stage> {
  const clock = { time: 1_800_000_000 };
  const app = await testApp(t, { now: () => clock.time, settings });
  return Object.assign(clock, app);
}

export const codeAt = (secret: string, time: number): string =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: Math.floor(time / 30), digits: 6 });

/** Sets an authenticator app up; the next code is one period later. */
export async function withApp(stand: Stage, user: User): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const { secret } = await user.ask(beginTotp, {});
  const { recoveryCodes = [] } = await user.ask(confirmTotp, { code: codeAt(secret, stand.time) });
  stand.time += 60;
  return { secret, recoveryCodes };
}

export async function withPasskey(user: User, name: string, authenticator = device()): Promise<Authenticator> {
  const { options } = await user.ask(beginPasskey, {});
  await user.ask(addPasskey, { name, attestation: authenticator.create(options) });
  return authenticator;
}

/** The ticket after the right password. */
export async function ticketOf(browser: Visitor, { email, password }: Pick<User, 'email' | 'password'>) {
  const answer = await browser.ask(emailLogin, { email, password });
  assert.ok('secondFactor' in answer, 'no second step was asked');
  assert.equal(browser.cookies.has('sid'), false);
  return answer.secondFactor;
}
