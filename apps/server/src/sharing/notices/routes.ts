import { getNotices, setNotices } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Notices } from './service.ts';

export function noticeRoutes(app: FastifyInstance, notices: Notices): void {
  serve(app, getNotices, ({ userId }) => notices.wanted(userId));
  serve(app, setNotices, ({ userId, input }) => notices.choose(userId, input));
}
