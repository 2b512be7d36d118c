import {
  addVaultPasskey,
  createVault,
  listEncryption,
  removeVault,
  removeVaultPasskey,
  renameVault,
  rewrapVault,
  setEncryptionRootView,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Encryption } from './service.ts';

export function encryptionRoutes(app: FastifyInstance, encryption: Encryption): void {
  serve(app, listEncryption, ({ userId }) => encryption.list(userId));
  serve(app, createVault, ({ userId, input, signal }) => encryption.create(userId, input, signal));
  serve(app, renameVault, ({ userId, input }) => encryption.rename(userId, input));
  serve(app, rewrapVault, ({ userId, input }) => encryption.rewrap(userId, input));
  serve(app, removeVault, ({ userId, input }) => encryption.remove(userId, input.vaultId));
  serve(app, addVaultPasskey, ({ userId, input }) => encryption.addPasskey(userId, input));
  serve(app, removeVaultPasskey, ({ userId, input }) => encryption.removePasskey(userId, input));
  serve(app, setEncryptionRootView, ({ userId, input }) => encryption.setRootView(userId, input.rootView));
}
