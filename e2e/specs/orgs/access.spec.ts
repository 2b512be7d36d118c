import { closeOrg } from '@sheaf/contract';
import { call, expect, expectAccessible, test } from '../../fixtures/test.ts';
import { button, dialog, escape, formOf, heading, home, link, makeOrg } from './actions.ts';

const enable = 'Enable Org Access';

test('the dialog enables an organisation with days and campaign, thanks, and leads to the organisations @narrow [ORG-01] [ORG-02] [ORG-03] [ORG-04] [ORG-05] [ORG-08] [RT-067] [RT-093]', async ({
  user: page,
  sheaf,
}) => {
  await page.context().addCookies([{ name: 'track', value: 'autumn', url: sheaf.url }]);
  await page.goto(home);
  await expect(heading(page, 'You do not belong to an organisation yet.')).toBeVisible();
  await expectAccessible(page);
  await link(page, enable).click();
  await expect(page).toHaveURL('/org-access?trialDays=7');
  await expect(dialog(page, enable).getByText('Purchase for your whole group with one credit card.')).toBeVisible();
  await expectAccessible(page);
  const form = await formOf(page, 'show_org', () => button(page, 'Enable').click());
  expect(form).toMatchObject({ trialDays: '7', track: 'autumn' });
  await expect(dialog(page, 'Thank you')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(home);
  await expect(heading(page, "Mara Halm's organisation")).toBeVisible();
  await expect(page.getByText('Owner · Organisation, 1 of 5 members · trial expires in 7 days')).toBeVisible();
  await expectAccessible(page);
});

test('leaving the dialog returns to its page; without a trial it leads to the billing [ORG-06] [ORG-07]', async ({ user: page }) => {
  await page.goto('/org-access');
  await expect(dialog(page, enable)).toBeVisible();
  await escape(page);
  await expect(page).toHaveURL('/org-access');
  await button(page, enable).click();
  await button(page, 'Cancel').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await button(page, enable).click();
  await button(page, 'Enable').click();
  await button(page, 'OK').click();
  await expect(page).toHaveURL('/account/billing');
});

test('nothing closes the dialog while it enables, and a network error is shown in it', async ({ user: page }) => {
  let isDown = true;
  const held = Promise.withResolvers<void>();
  await page.route('**/rest/subscription/show_org', async (route) => {
    if (isDown) return route.abort();
    await held.promise;
    return route.continue();
  });
  await page.goto('/org-access?trialDays=7');
  await button(page, 'Enable').click();
  await expect(page.getByRole('alert')).toContainText('Cannot connect to server.');
  isDown = false;
  await button(page, 'Enable').click();
  await expect(button(page, 'Cancel')).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog(page, enable)).toBeVisible();
  held.resolve();
  await expect(dialog(page, 'Thank you')).toBeVisible();
});

test('a user who has an organisation is told that they are not eligible [ORG-09]', async ({ user: page }) => {
  await makeOrg(page);
  await page.goto('/org-access?trialDays=7');
  await button(page, 'Enable').click();
  await expect(page.getByRole('alert')).toHaveText('Your account is not eligible for this subscription.');
  await button(page, 'Cancel').click();
  await expect(page).toHaveURL('/org-access?trialDays=7');
});

test('a user who has closed an organisation can have another, which begins without the trial', async ({ user: page }) => {
  const { org } = await call<{ org: { orgOid: string; name: string } }>(page, '/rest/subscription/show_org', { trialDays: '7' });
  await call(page, closeOrg.path, { orgOid: org.orgOid, name: org.name });
  await page.goto(home);
  await link(page, enable).click();
  await expect(dialog(page, enable)).toContainText('You have had the free trial.');
  await expectAccessible(page);
  await button(page, 'Enable').click();
  await expect(dialog(page, 'Thank you')).toContainText('Purchase its plan');
  await button(page, 'OK').click();
  await expect(page).toHaveURL(home);
  await expect(heading(page, "Mara Halm's organisation")).toBeVisible();
});
