import {
  type InputOf,
  allowAgent,
  confirmAgentPlan,
  deleteAgent,
  listAgentPlans,
  listAgents,
  lookAtAgent,
  refuseAgent,
  refuseAgentPlan,
} from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';

const plansKey = ['agent-plans'];
export const agentList = queryOptions({ queryKey: ['agents'], queryFn: ({ signal }) => send(listAgents, {}, signal) });
export const agentPlans = queryOptions({
  queryKey: plansKey,
  queryFn: ({ signal }) => send(listAgentPlans, { limit: 50 }, signal),
  // Polled, because agents make plans while the page is open.
  refetchInterval: 15_000,
});

/** The request that sent the browser here. */
export const agentRequest = (query: string) =>
  queryOptions({ queryKey: ['agent-request', query], queryFn: () => send(lookAtAgent, { query }), retry: false, staleTime: Infinity });

/** Leaves the app for the redirect address of the program. */
const leave = ({ redirectUrl }: { redirectUrl: string }): void => window.location.replace(redirectUrl);

export function useAllowAgent() {
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (input: InputOf<typeof allowAgent>) => withProof(() => send(allowAgent, input)),
    onSuccess: leave,
  });
}
export const useRefuseAgent = () => useMutation({ mutationFn: (query: string) => send(refuseAgent, { query }), onSuccess: leave });

export function useRevokeAgent() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (agentId: string) => send(deleteAgent, { agentId }),
    onError: (error) => notifyError(`Cannot revoke the agent. ${errorText(error)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: agentList.queryKey }),
  });
}

/** Carries out what an agent has planned. */
export function useConfirmPlan() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (planId: string) => send(confirmAgentPlan, { planId }),
    onSuccess({ plan, undoId }) {
      if (plan.state === 'done' && plan.kind === 'delete')
        notifyDone(undoId === undefined ? 'It was deleted.' : 'It was deleted. Changes can bring it back.');
    },
    onError: (error) => notifyError(errorText(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: plansKey }),
  });
}
export function useRefusePlan() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (planId: string) => send(refuseAgentPlan, { planId }),
    onError: (error) => notifyError(errorText(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: plansKey }),
  });
}
