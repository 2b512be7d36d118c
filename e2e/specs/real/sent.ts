import { type Page, expect } from '@playwright/test';
import { misdirect, type watchRequests } from '../../fixtures/held.ts';
import { button } from '../dialogs/fields.ts';

/** Mask of a stored secret. */
export const dots = '••••••••';
/** The calls about links. */
export const linkCalls = /\/rest\/(ws|addlink|provider)\//;
type Calls = ReturnType<typeof watchRequests>;
/** The calls of that name, in order. */
export const named = (calls: Calls, name: string) => calls.sent.filter((call) => call.name === name);
/** Connection info of the last call of that name. */
export const infoOf = (calls: Calls, name: string): Record<string, string> =>
  JSON.parse(named(calls, name).at(-1)?.form['connectionInfo'] ?? '{}') as Record<string, string>;
/** The checks and saves among the calls, in order. */
export const saves = (calls: Calls): string[] =>
  calls.sent.map(({ name }) => name).filter((name) => /^(validate|verify|set|add|update)_/.test(name));

/** The link of that name, from the server. */
export async function linkId(page: Page, name: string): Promise<string> {
  const answer = await page.request.get('/rest/ws/all_links');
  const { data } = (await answer.json()) as { data: { activeSources: { links: { name: string; userLinkId: string }[] }[] } };
  return data.activeSources.flatMap(({ links }) => links).find((link) => link.name === name)?.userLinkId ?? '';
}

/** Expects that a page returned instead of an answer is shown as a network error, with the prefix of the dialog. */
export async function expectNetworkFault(page: Page, call: string, submit: string, prefix: string): Promise<void> {
  await misdirect(page, call);
  await button(page, submit).click();
  await expect(page.getByText(`${prefix} Please check your network connection and try again.`)).toBeVisible();
  await page.unrouteAll();
}
