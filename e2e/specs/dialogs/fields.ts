import type { Locator, Page } from '@playwright/test';

/** Fills the fields of those labels. */
export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value);
}

export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** All options of a drop-down, as shown. */
export const choicesOf = (page: Page, label: string): Locator => field(page, label).locator('option');

/** Labels of the visible fields, in order. */
export const labels = (page: Page): Locator => page.locator('main form label');
