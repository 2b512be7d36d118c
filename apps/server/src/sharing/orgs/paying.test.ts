import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allLinks,
  familyCalls,
  getMetadata,
  getOrgBilling,
  getOrgReceipt,
  getOrgSubscription,
  linkUriOf,
  listAudit,
  listOrgLinks,
  listOrgs,
  moveSandboxClock,
  products,
  purchaseOrg,
  purchaseOrgUnits,
  refundOrg,
  setOrgAutoRenew,
  transferOrg,
  updateOrgBilling,
} from '@sheaf/contract';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { tokenOf } from '#/testing/shop.ts';

const { plan, price } = products.org;

test('the owner purchases the plan for a number of members, changes the number, and turns auto-renewal off and on', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  await join();
  const before = await owner.ask(getOrgSubscription, { orgOid });
  assert.deepEqual([before.tokenizer.mode, before.members, before.purchaseAccountId], ['sandbox', 2, undefined]);
  assert.equal(before.subscription?.state, 'trial');

  const bought = await owner.ask(purchaseOrg, { orgOid, recurlyPlan: plan, units: 3, recurlyBillingToken: tokenOf('success') });
  const after = await owner.ask(getOrgSubscription, { orgOid });
  assert.equal(after.purchaseAccountId, bought.purchaseAccountId);
  assert.deepEqual([after.subscription?.state, after.subscription?.units, after.subscription?.autoRenew], ['active', 3, true]);
  const { billing } = await owner.ask(getOrgBilling, { orgOid });
  assert.deepEqual([billing.card?.lastFour, billing.invoices[0]?.amount], ['1111', 3 * price]);

  await owner.ask(purchaseOrgUnits, { orgOid, units: 5 });
  assert.deepEqual([(await owner.ask(listOrgs, {})).orgs[0]?.planMembers, (await owner.ask(listOrgs, {})).orgs[0]?.state], [5, 'active']);
  for (const autoRenew of [false, true]) {
    await owner.ask(setOrgAutoRenew, { orgOid, autoRenew });
    assert.equal((await owner.ask(getOrgSubscription, { orgOid })).subscription?.autoRenew, autoRenew);
  }
  await owner.ask(updateOrgBilling, { orgOid, recurlyBillingToken: tokenOf('renewalDeclined') });
  assert.equal((await owner.ask(getOrgBilling, { orgOid })).billing.card?.lastFour, '0341');
  const { entries } = await owner.ask(listAudit, { orgOid, limit: 50 });
  const actions = new Set(entries.map(({ action }) => action));
  for (const action of ['billing.trial', 'billing.purchase', 'billing.units', 'billing.autoRenew', 'billing.card'])
    assert.ok(actions.has(action), action);
});

test('a receipt of the organisation is read by its owner only, and only of its own bills', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const admin = await join('admin');
  await owner.ask(purchaseOrg, { orgOid, recurlyPlan: plan, units: 3, recurlyBillingToken: tokenOf('success') });
  const [bill] = (await owner.ask(getOrgBilling, { orgOid })).billing.invoices;
  const url = bill?.receiptUrl ?? '';
  const receipt = await owner.inject({ url });
  assert.match(receipt.body, /Sheaf receipt.*Acme/);
  assert.equal((await admin.inject({ url })).statusCode, 403);
  assert.equal((await owner.refusal(getOrgReceipt, { orgOid, invoiceId: 'other' })).status, 404);
});

test('fewer units than members and invitations, and units that the plan does not offer, are refused', async (t) => {
  const { owner, org, join, invite } = await orgApp(t);
  const { orgOid } = org;
  await join();
  await invite('later@example.org');
  const token = tokenOf('success');
  const buy = (units: number, recurlyPlan: string = plan) =>
    owner.refusal(purchaseOrg, { orgOid, recurlyPlan, units, recurlyBillingToken: token });
  const refusal = await buy(2);
  assert.deepEqual(
    [refusal.errorCode, refusal.message],
    [773, 'Acme has 3 members and open invitations. Please choose at least as many units.'],
  );
  for (const units of [0, 1, -3, products.org.units.max + 1]) assert.equal((await buy(units)).errorCode, 107, String(units));
  assert.equal((await buy(3, 'premium-yearly')).errorCode, 107);
  await owner.ask(purchaseOrg, { orgOid, recurlyPlan: plan, units: 4, recurlyBillingToken: token });
  assert.equal((await owner.refusal(purchaseOrgUnits, { orgOid, units: 2 })).errorCode, 773);
  assert.equal((await owner.ask(getOrgSubscription, { orgOid })).subscription?.units, 4);
});

test('a declined card buys nothing', async (t) => {
  const { owner, org } = await orgApp(t);
  const { orgOid } = org;
  const recurlyBillingToken = tokenOf('declined');
  assert.equal((await owner.refusal(purchaseOrg, { orgOid, recurlyPlan: plan, units: 3, recurlyBillingToken })).errorCode, 613);
  assert.equal((await owner.ask(getOrgSubscription, { orgOid })).subscription?.state, 'trial');
});

test('a refund ends the plan at once, and the links wait for another one', async (t) => {
  const app = await orgApp(t);
  const { owner, org, join } = app;
  const { orgOid } = org;
  const member = await join();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid }));
  const look = { linkUri: linkUriOf(userLinkId, '/'), memberOid: member.membershipOid };
  await owner.ask(purchaseOrg, { orgOid, recurlyPlan: plan, units: 3, recurlyBillingToken: tokenOf('success') });
  await member.ask(getMetadata, look);
  await owner.ask(refundOrg, { orgOid });
  app.services.access.forget(member.userId);
  const refusal = await member.refusal(getMetadata, look);
  assert.deepEqual(
    [refusal.errorCode, refusal.message],
    [757, "Acme's subscription has ended. Its links are kept and can be used again when it is renewed."],
  );
  assert.equal((await member.refusal(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid }))).errorCode, 757);
  const shown = async () =>
    [await member.ask(allLinks, {}), await member.ask(listOrgLinks, { orgOid })].map(({ activeSources }) => activeSources[0]?.links[0]);
  for (const link of await shown()) assert.deepEqual([link?.state, link?.attention], ['attention', refusal.message]);
  assert.equal((await member.ask(listOrgs, {})).orgs[0]?.state, 'expired');
  await owner.ask(purchaseOrg, { orgOid, recurlyPlan: plan, units: 3 });
  app.services.access.forget(member.userId);
  await member.ask(getMetadata, look);
  for (const link of await shown()) assert.deepEqual([link?.name, link?.attention], ['My SFTP Server', undefined]);
});

test('the trial shows its remaining days while it runs, and ends with them', async (t) => {
  const { owner, org } = await orgApp(t);
  const now = async () => (await owner.ask(listOrgs, {})).orgs[0];
  await owner.ask(moveSandboxClock, { days: 6 });
  assert.deepEqual([(await now())?.state, (await now())?.expirationDays], ['trial', 1]);
  await owner.ask(moveSandboxClock, { days: 1 });
  assert.deepEqual([(await now())?.state, (await now())?.planMembers, (await now())?.expirationDays], ['expired', 0, undefined]);
  assert.equal((await owner.refusal(setOrgAutoRenew, { orgOid: org.orgOid, autoRenew: true })).status >= 400, true);
});

test('billing passes to the new owner with the organisation', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const member = await join();
  await owner.ask(transferOrg, { orgOid, memberId: member.membershipOid });
  assert.equal((await owner.refusal(getOrgBilling, { orgOid })).errorCode, 753);
  assert.equal((await member.ask(getOrgBilling, { orgOid })).tokenizer.mode, 'sandbox');
});
