import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { type AppPasswordRights, appPasswordRights, mostAppPasswordFolders } from './app-passwords.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

const rights = Type.Unsafe<AppPasswordRights>({ type: 'string', enum: [...appPasswordRights] });

/** Scopes of OAuth (RFC 6749, section 3.3) by the rights that they stand for. */
export const agentScopes = { read: 'files:read', write: 'files:write' } as const satisfies Record<AppPasswordRights, string>;

/** The page on which a person lets an agent in; the authorization endpoint of RFC 6749. */
export const agentConsentPath = '/agents/allow';

/** A program that acts for the account through the Model Context Protocol. */
export const Agent = Type.Object({
  agentId: text,
  name: text,
  /** The host that it was let in through: of its description on the web, or of the address that it returns to. */
  host: text,
  /** The folders it is limited to; none: everything. */
  linkUris: Type.Array(text),
  rights,
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** Epoch seconds; absent when it does not expire. */
  expires: optional(Type.Integer()),
  /** Epoch seconds of the last use, a few minutes coarse; absent before. */
  lastUsedAt: optional(Type.Integer()),
});
export type Agent = Static<typeof Agent>;

export const listAgents = call({
  method: 'GET',
  path: '/rest/agents',
  input: Type.Object({}),
  reply: Type.Object({
    agents: Type.Array(Agent),
    /** The address for agents; absent where the operator has switched them off. */
    address: optional(text),
  }),
  summary: 'The agents that the account has let in, the newest first.',
});
export const deleteAgent = call({
  method: 'POST',
  path: '/rest/agents/delete',
  rTag: 'required',
  input: Type.Object({ agentId: text, rTag }),
  reply: Type.Object({}),
  summary: 'Revokes an agent at once, and ends what it is doing.',
});

/** The query with which a program sent the browser to {@link agentConsentPath}. */
const query = Type.String({ maxLength: 8192 });

export const AgentRequest = Type.Object({
  name: text,
  /** Host of the program's description on the web; absent for one that has registered itself, whose name nobody has checked. */
  home: optional(text),
  /** Where the browser goes afterwards. */
  returnsTo: text,
  /** Whether that is this computer. */
  isLocal: Type.Boolean(),
  /** The most that it asks for. */
  rights,
});
export type AgentRequest = Static<typeof AgentRequest>;

export const lookAtAgent = call({
  method: 'POST',
  path: '/rest/agents/look',
  rTag: 'required',
  input: Type.Object({ query, rTag }),
  reply: Type.Object({
    request: optional(AgentRequest),
    /** Instead of a request: where a program is told that it asked for something that there is not. */
    refusedTo: optional(text),
  }),
  summary: 'Who asks to be let in, and for what.',
});
export const allowAgent = call({
  method: 'POST',
  path: '/rest/agents/allow',
  rTag: 'required',
  input: Type.Object({
    query,
    linkUri: Type.Array(text, { default: [], maxItems: mostAppPasswordFolders }),
    rights,
    expires: optional(Type.Integer({ minimum: 0 })),
    rTag,
  }),
  reply: Type.Object({ redirectUrl: text }),
  summary: 'Lets an agent into these folders; tells where the browser goes. Needs a fresh proof.',
});
export const refuseAgent = call({
  method: 'POST',
  path: '/rest/agents/refuse',
  rTag: 'required',
  input: Type.Object({ query, rTag }),
  reply: Type.Object({ redirectUrl: text }),
  summary: 'Turns an agent away; tells where the browser goes.',
});

export const agentPlanKinds = ['copy', 'move', 'delete', 'share'] as const;
export type AgentPlanKind = (typeof agentPlanKinds)[number];
export const agentPlanStates = ['waiting', 'running', 'done', 'failed', 'refused', 'expired'] as const;
export type AgentPlanState = (typeof agentPlanStates)[number];

/** What an agent has planned and a person decides. */
export const AgentPlan = Type.Object({
  planId: text,
  agentName: text,
  kind: Type.Unsafe<AgentPlanKind>({ type: 'string', enum: [...agentPlanKinds] }),
  items: Type.Array(
    Type.Object({
      linkUri: text,
      /** Link name and path, as shown. */
      path: text,
      isFolder: Type.Boolean(),
      /** Bytes; absent when unknown. */
      size: optional(Type.Integer()),
    }),
  ),
  /** Why, in the agent's words. */
  reason: optional(text),
  /** Of a share: the seconds after which it ends; 0: never. */
  expirationSeconds: optional(Type.Integer()),
  /** Of a copy or move: the transfer, which is started on its own page. */
  transferId: optional(text),
  /** Of a copy or move: the folder that it goes into, as shown. */
  to: optional(text),
  state: Type.Unsafe<AgentPlanState>({ type: 'string', enum: [...agentPlanStates] }),
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** What came of it: what could not be done. */
  problem: optional(text),
  /** Of a share that was made. */
  sharelinkurl: optional(text),
});
export type AgentPlan = Static<typeof AgentPlan>;

export const listAgentPlans = call({
  method: 'GET',
  path: '/rest/agents/plans',
  input: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }),
  reply: Type.Object({
    plans: Type.Array(AgentPlan),
    /** Plans that wait for a decision. */
    waiting: Type.Integer(),
  }),
  summary: 'What agents have planned, the newest first.',
});
export const confirmAgentPlan = call({
  method: 'POST',
  path: '/rest/agents/confirm_plan',
  rTag: 'required',
  input: Type.Object({ planId: text, rTag }),
  reply: Type.Object({
    plan: AgentPlan,
    /** Undoes a deletion, where that is possible. */
    undoId: optional(text),
  }),
  summary: 'Does what an agent has planned: deletes or shares.',
});
export const refuseAgentPlan = call({
  method: 'POST',
  path: '/rest/agents/refuse_plan',
  rTag: 'required',
  input: Type.Object({ planId: text, rTag }),
  reply: AgentPlan,
  summary: 'Refuses what an agent has planned.',
});
