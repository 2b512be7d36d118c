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
import { requireBrowser } from '#/platform/http/session.ts';
import type { Encryption } from './service.ts';

export function encryptionRoutes(app: FastifyInstance, encryption: Encryption): void {
  serve(app, listEncryption, ({ userId }) => encryption.list(userId));
  serve(app, createVault, ({ userId, input, signal }) => encryption.create(userId, input, signal));
  serve(app, renameVault, ({ userId, input }) => encryption.rename(userId, input));
  // Without its sealed passwords a vault opens to nobody: a leaked token of a command-line client must not be enough to take them away.
  serve(app, rewrapVault, ({ userId, session, input }) => {
    requireBrowser(session);
    return encryption.rewrap(userId, input);
  });
  serve(app, removeVault, ({ userId, session, input }) => {
    requireBrowser(session);
    return encryption.remove(userId, input.vaultId);
  });
  serve(app, addVaultPasskey, ({ userId, session, input }) => {
    requireBrowser(session);
    return encryption.addPasskey(userId, input);
  });
  serve(app, removeVaultPasskey, ({ userId, session, input }) => {
    requireBrowser(session);
    return encryption.removePasskey(userId, input);
  });
  serve(app, setEncryptionRootView, ({ userId, input }) => encryption.setRootView(userId, input.rootView));
}
