import { createSchedule, deleteSchedule, listSchedules, runSchedule } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Payload, send } from '#/lib/http/send.ts';

const queryKey = ['schedules'];

/** Schedules of the account. Their runs begin and end without this page, so they are asked again now and then. */
export const schedulesQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }) => send(listSchedules, {}, signal),
  staleTime: 0,
  refetchInterval: 15_000,
});

const acts = { run: runSchedule, delete: deleteSchedule } as const;
export type ScheduleAct = keyof typeof acts;

/** Runs or deletes a schedule. */
export function useScheduleAct(scheduleId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (act: ScheduleAct): Promise<void> => void (await send(acts[act], { scheduleId })),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** Creates a schedule. */
export function useCreateSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (schedule: Payload<typeof createSchedule>) => send(createSchedule, schedule),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
}
