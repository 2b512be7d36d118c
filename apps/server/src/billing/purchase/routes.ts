import {
  applyPromo,
  cancelPremium,
  getBilling,
  getQuote,
  getReceipt,
  getShop,
  listSubscriptions,
  moveSandboxClock,
  premiumTrial,
  purchasePremium,
  reactivatePremium,
  refundPremium,
  updateBilling,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { Purchases } from './service.ts';

/** Billing changes need a browser session: a leaked command-line token must not spend money. */
export function purchaseRoutes(app: FastifyInstance, purchases: Purchases): void {
  serve(app, getShop, ({ userId }) => purchases.shop(userId));
  serve(app, getQuote, ({ userId, input }) => purchases.quote(userId, input));
  serve(app, getBilling, ({ userId }) => purchases.billing(userId));
  serve(app, listSubscriptions, async ({ userId }) => ({ subscriptions: await purchases.subscriptions(userId) }));
  serve(app, getReceipt, async ({ userId, input, reply }) =>
    reply.type('text/html; charset=utf-8').send(await purchases.receipt(userId, input.invoiceId)),
  );
  serve(app, premiumTrial, async ({ userId, session, input }) => {
    requireBrowser(session);
    await purchases.startTrial(userId, input.trialDays);
    return {};
  });
  serve(app, purchasePremium, ({ userId, session, input }) => {
    requireBrowser(session);
    return purchases.purchase(userId, input);
  });
  serve(app, reactivatePremium, async ({ userId, session, input }) => {
    requireBrowser(session);
    await purchases.reactivate(userId, input.recurlyPlan, input.subOid, input.recurlyBillingToken);
    return {};
  });
  serve(app, cancelPremium, async ({ userId, session, input }) => {
    requireBrowser(session);
    await purchases.cancel(userId, input.subOid);
    return {};
  });
  serve(app, refundPremium, async ({ userId, session, input }) => {
    requireBrowser(session);
    await purchases.refund(userId, input.subOid);
    return {};
  });
  serve(app, updateBilling, async ({ userId, session, input }) => {
    requireBrowser(session);
    await purchases.updateBilling(userId, input.recurlyBillingToken);
    return {};
  });
  serve(app, applyPromo, async ({ userId, session, input }) => {
    requireBrowser(session);
    await purchases.applyPromo(userId, input.coupon);
    return {};
  });
  serve(app, moveSandboxClock, async ({ userId, session, input }) => {
    requireBrowser(session);
    return { now: await purchases.moveClock(userId, input.days) };
  });
}
