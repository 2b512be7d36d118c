import {
  type Call,
  type InputOf,
  closePerson,
  keepPerson,
  listOperatorLog,
  listPeople,
  removePersonFactor,
  setPersonDisabled,
  setPersonOperator,
  signOutPerson,
} from '@sheaf/contract';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';

const key = 'operated-people';

/** Accounts whose name or address contains the text, a page at a time. */
export const peopleList = (query: string) =>
  infiniteQueryOptions({
    queryKey: [key, query],
    queryFn: ({ pageParam, signal }) => send(listPeople, { query, ...(pageParam !== '' && { after: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** What operators did, a page at a time. */
export const operatorLog = infiniteQueryOptions({
  queryKey: ['operator-log'],
  queryFn: ({ pageParam, signal }) => send(listOperatorLog, pageParam === '' ? {} : { before: pageParam }, signal),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
});

/** A change of one account, after a recent proof of who the operator is. */
function useChange<C extends Call>(call: C) {
  const client = useQueryClient();
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (input: Omit<InputOf<C>, 'rTag'>) => withProof(() => send(call, input as InputOf<C>)),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: [key] });
      await client.invalidateQueries({ queryKey: operatorLog.queryKey });
    },
  });
}

export const useSetDisabled = () => useChange(setPersonDisabled);
export const useSetOperator = () => useChange(setPersonOperator);
export const useSignOutPerson = () => useChange(signOutPerson);
export const useRemoveFactor = () => useChange(removePersonFactor);
export const useClosePerson = () => useChange(closePerson);
export const useKeepPerson = () => useChange(keepPerson);
