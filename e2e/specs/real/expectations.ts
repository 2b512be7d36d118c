import { type Page, expect } from '@playwright/test';
import { rowOf } from '../browse/actions.ts';
import { button, field } from '../dialogs/fields.ts';

/** The dialog says exactly these paragraphs over its buttons, and marks no field. */
export async function expectMessage(page: Page, ...paragraphs: readonly string[]): Promise<void> {
  await expect(page.getByRole('alert').locator('p')).toHaveText([...paragraphs]);
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
}

/** The dialog marks that field and no other, puts the focus there, says exactly this there and nothing elsewhere, and offers no way past it. */
export async function expectFieldError(page: Page, label: string, text: string): Promise<void> {
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, label)).toHaveAccessibleDescription(text);
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(1);
  await expect(field(page, label)).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expectNoOffer(page);
}

/** The user may not save in spite of what was said. */
export const expectNoOffer = (page: Page): Promise<void> => expect(button(page, 'Continue Anyway')).toHaveCount(0);

/** What was linked is open, under its name, and shows that file of the server. */
export async function expectBrowsable(page: Page, linkName: string, file: string): Promise<void> {
  await expect(page).toHaveURL(`/browse/${encodeURIComponent(linkName)}`);
  await expect(rowOf(page, file)).toBeVisible();
}

/** The changed link stands in My links, and opening it shows that file of the server. */
export async function expectChanged(page: Page, linkName: string, file: string): Promise<void> {
  await expect(page).toHaveURL('/account/mysheaf');
  await page.getByRole('link', { name: linkName }).click();
  // What was listed a moment ago is shown first and not asked for again at once.
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(rowOf(page, file)).toBeVisible({ timeout: 2000 });
  }).toPass();
}

/** Opens the edit dialog of a link from My links. */
export async function edit(page: Page, linkName: string): Promise<void> {
  await page.goto('/account/mysheaf');
  await button(page, `Menu of ${linkName}`).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(page.getByRole('heading', { name: `Edit ${linkName}` })).toBeVisible();
}

/** What FTP, file server and SFTP ask when a connection was refused. */
export const question = (server: string): string =>
  `The ${server} could not validate these credentials. You may still be able to connect. Do you want to continue?`;

/** What generic WebDAV and the gateway ask when nobody answers. */
export const unreached = (server: string): string =>
  `Could not connect to ${server} server to validate your credentials. You may still be able to connect. Do you want to continue?`;

export const certificateTexts = {
  name: 'Invalid SSL certificate. Name Mismatch.',
  otherNames: 'The certificate is for other.example, not for 127.0.0.1.',
  missing: 'Invalid SSL certificate. The SSL certificate is missing.',
  selfSigned: 'Invalid SSL certificate. It is self-signed.',
} as const;

/** Why nobody answered at that port of this machine. */
export const nothingAt = (port: number): string => `127.0.0.1 is there, but nothing answers at port ${port}.`;
