import {
  type InputOf,
  createSchedule,
  deleteSchedule,
  listSchedules,
  pauseSchedule,
  runSchedule,
  scheduleTimes,
  updateSchedule,
} from '@sheaf/contract';
import { keepPreviousData, queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Payload, send } from '#/lib/http/send.ts';

const queryKey = ['schedules'];

/** Schedules of the account. Their runs begin and end without this page, so they are asked again now and then. */
export const schedulesQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }) => send(listSchedules, {}, signal),
  staleTime: 0,
  refetchInterval: 15_000,
});

/** The next times of a schedule that is being edited. */
export const nextTimesQuery = (cron: string | undefined, timezone: string) =>
  queryOptions({
    queryKey: ['schedule times', cron, timezone],
    queryFn: cron === undefined ? skipToken : ({ signal }) => send(scheduleTimes, { cron, timezone }, signal),
    retry: false,
    placeholderData: keepPreviousData,
  });

const acts = {
  run: (scheduleId: string) => send(runSchedule, { scheduleId }),
  pause: (scheduleId: string) => send(pauseSchedule, { scheduleId, isPaused: true }),
  resume: (scheduleId: string) => send(pauseSchedule, { scheduleId, isPaused: false }),
  delete: (scheduleId: string) => send(deleteSchedule, { scheduleId }),
} as const;
export type ScheduleAct = keyof typeof acts;

/** Runs, pauses, resumes or deletes a schedule. */
export function useScheduleAct(scheduleId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (act: ScheduleAct): Promise<void> => void (await acts[act](scheduleId)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

export type ScheduleWish = Omit<InputOf<typeof createSchedule>, 'rTag'>;

/** Creates a schedule, or changes the one of that id. */
export function useSaveSchedule(scheduleId: string | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wish: Payload<typeof createSchedule>) =>
      scheduleId === undefined ? send(createSchedule, wish) : send(updateSchedule, { ...wish, scheduleId }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
}
