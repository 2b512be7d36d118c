import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { type AppPasswordRights, appPasswordRights, mostAppPasswordFolders } from './app-passwords.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

const rights = Type.Unsafe<AppPasswordRights>({ type: 'string', enum: [...appPasswordRights] });

/** OAuth scopes (RFC 6749, section 3.3) by the rights that they grant. */
export const agentScopes = { read: 'files:read', write: 'files:write' } as const satisfies Record<AppPasswordRights, string>;

/** The page on which a user grants access to an agent; the authorization endpoint of RFC 6749. */
export const agentConsentPath = '/agents/allow';

/** A program that acts for the account through the Model Context Protocol. */
export const Agent = Type.Object({
  agentId: text,
  name: text,
  /** Host by which it was authorized: of its client metadata document, or of its redirect URI. */
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
    /** The address for agents; absent if the operator has disabled them. */
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

/** The query of the browser's request to {@link agentConsentPath}. */
const query = Type.String({ maxLength: 8192 });

export const AgentRequest = Type.Object({
  name: text,
  /** Host of the client metadata document; absent for a program that registered itself, whose name is unverified. */
  home: optional(text),
  /** Redirect URI of the program. */
  returnsTo: text,
  /** Whether the redirect URI is on the user's own computer. */
  isLocal: Type.Boolean(),
  /** The highest right that it requests. */
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
    /** Instead of a request: the address that reports an invalid request to the program. */
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

/** An action that an agent has planned and its user decides on. */
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
  /** The agent's reason. */
  reason: optional(text),
  /** For a share: its lifetime in seconds; 0: it never expires. */
  expirationSeconds: optional(Type.Integer()),
  /** For a copy or move: the transfer, which the user starts on its own page. */
  transferId: optional(text),
  /** For a copy or move: the destination folder, as shown. */
  to: optional(text),
  state: Type.Unsafe<AgentPlanState>({ type: 'string', enum: [...agentPlanStates] }),
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** The result: what could not be done. */
  problem: optional(text),
  /** Address of the created share. */
  sharelinkurl: optional(text),
});
export type AgentPlan = Static<typeof AgentPlan>;

export const listAgentPlans = call({
  method: 'GET',
  path: '/rest/agents/plans',
  input: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }),
  reply: Type.Object({
    plans: Type.Array(AgentPlan),
    /** Number of plans that await a decision. */
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
    /** Undoes a deletion, if possible. */
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
