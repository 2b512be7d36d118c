import { type Page, expect } from '@playwright/test';
import { rowOf } from '../browse/actions.ts';
import { button, field } from '../dialogs/fields.ts';

/** Expects the dialog to show exactly these paragraphs above its buttons, and to mark no field. */
export async function expectMessage(page: Page, ...paragraphs: readonly string[]): Promise<void> {
  await expect(page.getByRole('alert').locator('p')).toHaveText([...paragraphs]);
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
}

/** Expects the dialog to mark only that field, focus it, show exactly this text there and none elsewhere, and offer no way to continue. */
export async function expectFieldError(page: Page, label: string, text: string): Promise<void> {
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, label)).toHaveAccessibleDescription(text);
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(1);
  await expect(field(page, label)).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expectNoOffer(page);
}

/** Expects that the user cannot save despite the error. */
export const expectNoOffer = (page: Page): Promise<void> => expect(button(page, 'Continue Anyway')).toHaveCount(0);

/** Expects the new link to be open under its name, and to show that file of the server. */
export async function expectBrowsable(page: Page, linkName: string, file: string): Promise<void> {
  await expect(page).toHaveURL(`/browse/${encodeURIComponent(linkName)}`);
  await expect(rowOf(page, file)).toBeVisible();
}

/** Expects the changed link in My links; opening it shows that file of the server. */
export async function expectChanged(page: Page, linkName: string, file: string): Promise<void> {
  await expect(page).toHaveURL('/account/mysheaf');
  await page.getByRole('link', { name: linkName }).click();
  // A recent listing is shown first, and not refreshed immediately.
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

/** Question of FTP, file server and SFTP after a refused connection. */
export const question = (server: string): string =>
  `The ${server} could not validate these credentials. You may still be able to connect. Do you want to continue?`;

/** Question of generic WebDAV and the gateway when no server answers. */
export const unreached = (server: string): string =>
  `Could not connect to ${server} server to validate your credentials. You may still be able to connect. Do you want to continue?`;

export const certificateTexts = {
  name: 'Invalid SSL certificate. Name Mismatch.',
  otherNames: 'The certificate is for other.example, not for 127.0.0.1.',
  missing: 'Invalid SSL certificate. The SSL certificate is missing.',
  selfSigned: 'Invalid SSL certificate. It is self-signed.',
} as const;

/** Reason for the missing answer at that local port. */
export const nothingAt = (port: number): string => `127.0.0.1 is there, but nothing answers at port ${port}.`;
