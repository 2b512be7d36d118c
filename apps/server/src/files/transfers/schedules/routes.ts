import { createSchedule, deleteSchedule, listSchedules, pauseSchedule, runSchedule, scheduleTimes, updateSchedule } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { ScheduleService } from './service.ts';

/** Routes of `contract/schedules.ts`. */
export function scheduleRoutes(app: FastifyInstance, schedules: ScheduleService): void {
  serve(app, createSchedule, ({ userId, input }) => schedules.create(userId, input));
  serve(app, updateSchedule, ({ userId, input: { scheduleId, ...wish } }) => schedules.update(userId, scheduleId, wish));
  serve(app, deleteSchedule, ({ userId, input }) => schedules.remove(userId, input.scheduleId));
  serve(app, runSchedule, ({ userId, input }) => schedules.runNow(userId, input.scheduleId));
  serve(app, pauseSchedule, ({ userId, input }) => schedules.pause(userId, input.scheduleId, input.isPaused));
  serve(app, scheduleTimes, ({ input }) => schedules.times(input));
  serve(app, listSchedules, ({ userId }) => schedules.list(userId));
}
