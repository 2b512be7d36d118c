import {
  allowAgent,
  appError,
  confirmAgentPlan,
  deleteAgent,
  listAgentPlans,
  listAgents,
  lookAtAgent,
  refuseAgent,
  refuseAgentPlan,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Agents } from '#/identity/agents/service.ts';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { deviceOf } from '#/identity/sessions/session-cookies.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { mcpRoutes } from './mcp-routes.ts';
import type { Mcp } from './mcp.ts';
import type { Authorization } from './oauth/authorization.ts';
import type { Clients } from './oauth/clients.ts';
import { oauthRoutes } from './oauth/routes.ts';
import type { Plans } from './plans/service.ts';

interface Deps {
  readonly agents: Agents;
  readonly agentServing: {
    readonly isOn: boolean;
    readonly issuer: string;
    readonly resource: string;
    readonly clients: Clients;
    readonly authorization: Authorization;
    readonly mcp: Mcp;
    readonly plans: Plans;
  };
  readonly throttle: Throttle;
  readonly reauthentication: Pick<Reauthentication, 'require'>;
  readonly alerts: Alerts;
  readonly access: { has(accountId: string, userLinkId: string): Promise<boolean> };
}

/** Limit of looking at requests of programs: each may fetch a description from the web. */
const looks = { tries: 60, seconds: 600 };

/** Routes of the consent page, of the list of agents and of their plans; and, where agents are switched on, those that agents call. */
export function agentRoutes(app: FastifyInstance, { agents, agentServing, throttle, reauthentication, alerts, access }: Deps): void {
  const { isOn, issuer, resource, clients, authorization, mcp, plans } = agentServing;
  if (isOn) {
    oauthRoutes(app, { agents, clients, throttle, issuer, resource });
    mcpRoutes(app, { mcp, agents, throttle, issuer, resource });
  }
  const checkOn = (): void => {
    if (!isOn) throw appError('NOT_FOUND', {});
  };

  serve(app, listAgents, async ({ userId }) => ({ agents: await agents.list(userId), ...(isOn && { address: resource }) }));
  serve(app, deleteAgent, async ({ userId, session, input }) => {
    requireBrowser(session);
    await agents.revoke(userId, input.agentId);
    return {};
  });

  serve(app, lookAtAgent, async ({ userId, session, input, signal }) => {
    checkOn();
    requireBrowser(session);
    await throttle.count(`agent requests seen by ${userId}`, looks);
    return authorization.look(input.query, signal);
  });
  serve(app, allowAgent, async ({ userId, session, input, request, signal }) => {
    checkOn();
    requireBrowser(session);
    await reauthentication.require(session);
    const wish = await authorization.wished(input.query, signal);
    if (input.rights === 'write' && wish.rights === 'read') throw appError('INVALID_PARAMETER', { field: 'rights' });
    const { client, redirectUri, codeChallenge } = wish;
    const { linkUri: folders, rights, expires } = input;
    const host = client.home ?? new URL(redirectUri).host;
    const grant = { clientId: client.clientId, name: client.name, host, folders, rights, resource, redirectUri, codeChallenge, expires };
    const code = await agents.allow(userId, grant, access.has);
    alerts.tell(userId, { kind: 'agentAllowed', name: client.name }, deviceOf(request));
    return { redirectUrl: authorization.granted(wish, code) };
  });
  serve(app, refuseAgent, async ({ session, input, signal }) => {
    checkOn();
    requireBrowser(session);
    return { redirectUrl: authorization.denied(await authorization.wished(input.query, signal)) };
  });

  serve(app, listAgentPlans, ({ userId, input }) => plans.list(userId, input.limit));
  serve(app, confirmAgentPlan, ({ userId, session, input, signal }) => {
    requireBrowser(session);
    return plans.confirm(userId, input.planId, signal);
  });
  serve(app, refuseAgentPlan, ({ userId, session, input }) => {
    requireBrowser(session);
    return plans.refuse(userId, input.planId);
  });
}
