import type { Page } from '@playwright/test';
import { type RecurlySite, startRecurly } from '@sheaf/testbed';
import { type CardService, startCardService } from '../../fixtures/card-service.ts';
import { reveals } from '../../fixtures/reveals.ts';
import { startSheaf } from '../../fixtures/sheaf.ts';
import { test as base, expect } from '../../fixtures/test.ts';
import { button, heading, submit, subscription } from './actions.ts';

/** A server that bills through Recurly: the simulator provides the API, the card service the script and fields. */
const test = base.extend<object, { recurly: RecurlySite; service: CardService }>({
  recurly: [
    async ({}, use) => {
      const recurly = await startRecurly();
      await use(recurly);
      await recurly.stop();
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ recurly }, use) => {
      const service = await startCardService(({ number = '', month, year, first_name: firstName, last_name: lastName }) =>
        recurly.tokenize(number === declined ? 'declined' : 'approved', {
          firstName: firstName ?? '',
          lastName: lastName ?? '',
          lastFour: number.slice(-4),
          month: Number(month),
          year: Number(year),
        }),
      );
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
  sheaf: [
    async ({ recurly, service }, use) => {
      const sheaf = await startSheaf({
        SHEAF_BILLING: 'recurly',
        SHEAF_RECURLY_API_KEY: recurly.apiKey,
        SHEAF_RECURLY_PUBLIC_KEY: 'ewr1-public-key',
        SHEAF_RECURLY_WEBHOOK_KEY: recurly.webhookKey,
        SHEAF_RECURLY_API_URL: recurly.url,
        SHEAF_RECURLY_SCRIPT_URL: service.scriptUrl,
        SHEAF_LOG_LEVEL: 'debug',
      });
      await use(sheaf);
      await sheaf.stop();
    },
    { scope: 'worker' },
  ],
});

const declined = '4000000000000002';
const card = { number: '4111111111111111', month: '09', year: '2031', cvv: '7379' };

/** Types into a field in a frame of the card service. */
const type = (page: Page, kind: keyof typeof card, text: string): Promise<void> =>
  page.frameLocator(`iframe[title=${kind}]`).getByLabel(kind).fill(text);

async function openForm(page: Page, parts: Partial<typeof card> = {}): Promise<void> {
  await page.goto('/upgrade');
  await button(page, 'Continue to payment').click();
  await page.getByLabel('First name').fill('Mara');
  await page.getByLabel('Last name').fill('Halm');
  const typed = { ...card, ...parts };
  for (const kind of ['number', 'month', 'year', 'cvv'] as const) await type(page, kind, typed[kind]);
}

test("with Recurly the card is typed into Recurly's own frames: neither number nor CVV is in any request to Sheaf, on its page, or in its log [PUR-05] [PUR-08] [PUR-20] [PUR-23]", async ({
  user: page,
  service,
  sheaf,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    const body = request.postDataBuffer()?.toString('latin1') ?? '';
    if (request.url().startsWith(sheaf.url)) requests.push(`${request.url()}\n${JSON.stringify(request.headers())}\n${body}`);
  });
  await openForm(page);
  const asked = page.waitForRequest('/rest/purchase/purchase_premium_addon');
  await submit(page).click();
  const form = new URLSearchParams((await asked).postData() ?? '');
  expect(form.get('recurlyBillingToken')).toMatch(/^[0-9a-f]{22}$/);
  expect(service.cards.at(-1)).toEqual({ ...card, first_name: 'Mara', last_name: 'Halm', key: 'ewr1-public-key' });
  await expect(heading(page, 'Thank You')).toBeVisible();
  const shown = await page.evaluate(
    () =>
      document.documentElement.outerHTML +
      [...document.querySelectorAll('input')].map(({ value }) => value).join('\n') +
      JSON.stringify(localStorage) +
      JSON.stringify(sessionStorage),
  );
  for (const secret of [card.number, card.cvv]) {
    expect(reveals(requests.join('\n'), secret), 'in a request to Sheaf').toBe(false);
    expect(reveals(shown, secret), 'on the page').toBe(false);
    expect(reveals(sheaf.log(), secret), 'in the log').toBe(false);
  }
});

test('a card that Recurly declines is reported; another one pays, and is stored from then on [PUR-07] [PUR-27] [PUR-36]', async ({
  user: page,
  recurly,
}) => {
  await openForm(page, { number: declined });
  await submit(page).click();
  await expect(page.getByText('Your card was declined. Please use a different card.')).toBeVisible();
  await type(page, 'number', card.number);
  await submit(page).click();
  await expect(heading(page, 'Thank You')).toBeVisible();
  await button(page, 'OK').click();
  await expect(subscription(page)).toContainText('Active');
  await page.goto('/account/billing');
  await expect(page.getByText(/ending in 1111/)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Bills' }).getByRole('row').nth(1)).toContainText('$150');
  await page.goto('/account/subscriptions');
  await button(page, 'Get a refund').click();
  await button(page, 'End and refund').click();
  await expect(subscription(page)).toContainText('Refunded');
  await page.getByRole('link', { name: 'Purchase again' }).click();
  await submit(page).click();
  await expect(heading(page, 'Thank You')).toBeVisible();
  recurly.assertClean();
});

test('Submit waits for the fields of the card service too, and Enter in one of them submits [PUR-17]', async ({ user: page, service }) => {
  await openForm(page);
  await expect(submit(page)).toBeEnabled();
  for (const kind of ['number', 'month', 'year', 'cvv'] as const) {
    await type(page, kind, '');
    await expect(submit(page)).toBeDisabled();
    await type(page, kind, card[kind]);
    await expect(submit(page)).toBeEnabled();
  }
  const before = service.cards.length;
  const asked = page.waitForRequest('/rest/purchase/purchase_premium_addon');
  await page.frameLocator('iframe[title=cvv]').getByLabel('cvv').press('Enter');
  await asked;
  expect(service.cards.length).toBe(before + 1);
});

test('errors of the card service are reported: a card error, or that it did not answer in time [PUR-19] [PUR-21] [PUR-22]', async ({
  user: page,
}) => {
  await openForm(page, { number: '1234' });
  await submit(page).click();
  await expect(page.getByText('The card details are not valid. Please check them and try again.')).toBeVisible();
  await type(page, 'number', '4000000000000119');
  await submit(page).click();
  await expect(page.getByText('The card service did not answer in time. Please try again.')).toBeVisible();
});

test('a script that does not load is reported, and can be loaded again', async ({ user: page, service }) => {
  let isDown = true;
  await page.route(service.scriptUrl, (route) => (isDown ? route.abort() : route.continue()));
  await page.goto('/upgrade');
  await button(page, 'Continue to payment').click();
  await expect(heading(page, 'The card form could not be loaded')).toBeVisible();
  isDown = false;
  await button(page, 'Try again').click();
  await expect(page.frameLocator('iframe[title=number]').getByLabel('number')).toBeVisible();
});

test('scripts and frames may come only from Sheaf and the card service', async ({ user: page, service }) => {
  const answer = await page.goto('/upgrade');
  const policy = answer?.headers()['content-security-policy'] ?? '';
  const allowed = (directive: string): string[] => new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? [];
  const known = ["'self'", service.origin, 'https://js.recurly.com', 'https://api.recurly.com', 'https://api.eu.recurly.com'];
  for (const directive of ['script-src', 'connect-src', 'frame-src']) {
    expect(allowed(directive)).toContain(service.origin);
    expect(allowed(directive).filter((origin) => !known.includes(origin))).toEqual([]);
  }
  expect(allowed('default-src')).toEqual(["'self'"]);
});
