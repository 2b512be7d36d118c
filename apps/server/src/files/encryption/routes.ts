import { listEncryption, setEncryptionRootView } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Encryption } from './service.ts';

export function encryptionRoutes(app: FastifyInstance, encryption: Encryption): void {
  serve(app, listEncryption, ({ userId }) => encryption.list(userId));
  serve(app, setEncryptionRootView, ({ userId, input }) => encryption.setRootView(userId, input.rootView));
}
