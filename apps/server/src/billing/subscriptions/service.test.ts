import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sandboxCards, tokenizeSandboxCard } from '@sheaf/contract';
import { sql } from 'kysely';
import { newId } from '#/platform/ids.ts';
import { type TestApp, testApp } from '#/testing/app.ts';
import { mailsTo } from '#/testing/outbox.ts';

const start = Date.UTC(2027, 0, 10, 12) / 1000;

function goodToken(): string {
  const [{ number } = { number: '' }] = sandboxCards;
  const made = tokenizeSandboxCard(
    { number, month: '12', year: '2040', first_name: 'Zoë', last_name: "O'Brien-Lind", cvv: '123' },
    newId(),
  );
  assert.ok('token' in made);
  return made.token;
}

async function payer(t: TestContext) {
  let time = start;
  const clock = () => time;
  const app = await testApp(t, { schedules: false, now: clock });
  const user = await app.signUp();
  const wish = { payerId: user.userId, actorId: user.userId, product: 'premium', units: 1 } as const;
  const { services } = app;
  return {
    ...app,
    user,
    wish,
    clock,
    subscriptions: services.subscriptions,
    tick: (seconds: number) => void (time += seconds),
    moveClock: async (days: number) => services.billing?.sandbox?.moveClock(days),
    amounts: async () => (await services.subscriptions.invoices(user.userId)).map(({ amount }) => amount),
    actions: async () =>
      (
        await services.database.db.selectFrom('audit_event').select('action').where('action', 'like', 'billing%').orderBy('id').execute()
      ).map(({ action }) => action),
  };
}

/** Makes the database refuse new subscriptions, as if the process died before storing them. */
async function refuseSubscriptions({ services }: TestApp): Promise<() => Promise<void>> {
  const { db, engine } = services.database;
  if (engine === 'sqlite') {
    await sql`create trigger refuse before insert on subscription begin select raise(abort, 'the process died'); end`.execute(db);
    return async () => void (await sql`drop trigger refuse`.execute(db));
  }
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''the process died''; end'`.execute(db);
  await sql`create trigger refuse before insert on subscription for each row execute function refuse()`.execute(db);
  return async () => void (await sql`drop trigger refuse on subscription`.execute(db));
}

test('two instances that look at the same time renew once, log once and write once', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, moveClock, amounts, actions, user, clock } = app;
  const second = await app.secondInstance({ now: clock });
  await subscriptions.purchase({ ...wish, token: goodToken() });
  await moveClock(365);
  await Promise.all([subscriptions.settle(), second.subscriptions.settle(), subscriptions.settle(), second.subscriptions.settle()]);
  assert.deepEqual(await amounts(), [15_000, 15_000]);
  assert.deepEqual(await actions(), ['billing.purchase', 'billing.renew']);
  await second.background.idle();
  const mails = await mailsTo(app, user.email);
  assert.equal(mails.filter((content) => content.includes('Subject: Premium was renewed')).length, 1);
});

test('a subscription that one instance has leased is left alone by others until the lease is over', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, moveClock, actions, services, tick } = app;
  await subscriptions.purchase({ ...wish, token: goodToken() });
  await moveClock(365);
  await services.database.db
    .updateTable('subscription')
    .set({ leasedUntil: start + 120 })
    .execute();
  await subscriptions.settle();
  assert.deepEqual(await actions(), ['billing.purchase']);
  tick(121);
  await subscriptions.settle();
  assert.deepEqual(await actions(), ['billing.purchase', 'billing.renew']);
});

test('of purchases on two instances at the same time one charges', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, amounts, clock } = app;
  const second = await app.secondInstance({ now: clock });
  const all = await Promise.allSettled(
    [subscriptions, second.subscriptions, subscriptions, second.subscriptions].map((one) => one.purchase({ ...wish, token: goodToken() })),
  );
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.deepEqual(await amounts(), [15_000]);
});

test('an unrecorded charge is found later and not repeated', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, amounts, actions, tick } = app;
  const again = await refuseSubscriptions(app);
  await assert.rejects(subscriptions.purchase({ ...wish, token: goodToken() }), /the process died/);
  assert.equal(await subscriptions.hasPremium(wish.payerId), false);
  await again();
  await assert.rejects(subscriptions.purchase({ ...wish, token: goodToken() }), { messageCode: 'PURCHASE_UNDER_WAY' });
  await subscriptions.settle();
  assert.equal(await subscriptions.hasPremium(wish.payerId), false);
  tick(121);
  await subscriptions.settle();
  assert.equal(await subscriptions.hasPremium(wish.payerId), true);
  assert.deepEqual(await amounts(), [15_000]);
  assert.deepEqual(await actions(), ['billing.purchase']);
});

test('the next purchase finds an unrecorded charge too', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, amounts, tick } = app;
  const again = await refuseSubscriptions(app);
  await assert.rejects(subscriptions.purchase({ ...wish, token: goodToken() }), /the process died/);
  await again();
  tick(121);
  await subscriptions.purchase({ ...wish, token: goodToken() });
  assert.equal(await subscriptions.hasPremium(wish.payerId), true);
  assert.deepEqual(await amounts(), [15_000]);
});

test('an abandoned purchase does not block the next one', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, amounts, services, tick } = app;
  const intent = { id: 'left', payerId: wish.payerId, actorId: wish.actorId, product: 'premium', provider: 'sandbox' };
  await services.database.db
    .insertInto('purchase_intent')
    .values({ ...intent, leasedUntil: start + 10 })
    .execute();
  tick(11);
  await subscriptions.settle();
  assert.deepEqual(await services.database.db.selectFrom('purchase_intent').selectAll().execute(), []);
  await subscriptions.purchase({ ...wish, token: goodToken() });
  assert.deepEqual(await amounts(), [15_000]);
});

test('additional members are charged for the rest of the term, removed ones are not refunded, and the renewal charges for the current number', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, moveClock, amounts } = app;
  const org = { ...wish, product: 'org' } as const;
  await assert.rejects(subscriptions.purchase({ ...org, units: 1, token: goodToken() }), { messageCode: 'INVALID_PARAMETER' });
  await subscriptions.purchase({ ...org, units: 10, token: goodToken() });
  await moveClock(73);
  await subscriptions.changeUnits({ ...org, units: 15 });
  await subscriptions.changeUnits({ ...org, units: 4 });
  assert.equal(await subscriptions.unitsOf(wish.payerId), 4);
  await moveClock(292);
  await subscriptions.settle();
  assert.deepEqual(await amounts(), [48_000, 48_000, 120_000]);
});

test('the subscription of an account ends with the account, at once', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, moveClock, amounts } = app;
  await subscriptions.purchase({ ...wish, token: goodToken() });
  await subscriptions.cancelAll(wish.payerId);
  assert.equal(await subscriptions.hasPremium(wish.payerId), false);
  await moveClock(800);
  await subscriptions.settle();
  assert.deepEqual(await amounts(), [15_000]);
});

test('terms that passed unnoticed are renewed one after the other', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, moveClock, amounts } = app;
  await subscriptions.purchase({ ...wish, token: goodToken(), coupon: 'SHEAF20' });
  await moveClock(3 * 366);
  await subscriptions.settle();
  assert.deepEqual(await amounts(), [15_000, 15_000, 15_000, 12_000]);
  assert.equal((await subscriptions.find(wish.payerId, 'premium'))?.endsAt, Date.UTC(2031, 0, 10, 12) / 1000);
});

test('a subscription that the provider sold and Sheaf lost is found, not sold again', async (t) => {
  const app = await payer(t);
  const { subscriptions, wish, amounts, services } = app;
  await subscriptions.purchase({ ...wish, token: goodToken() });
  await services.database.db.deleteFrom('subscription').execute();
  await assert.rejects(subscriptions.purchase({ ...wish, token: goodToken() }), { messageCode: 'ALREADY_SUBSCRIBED' });
  await subscriptions.settle();
  assert.equal(await subscriptions.hasPremium(wish.payerId), true);
  assert.deepEqual(await amounts(), [15_000]);
});
