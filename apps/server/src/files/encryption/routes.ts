import {
  addVaultPasskey,
  createVault,
  listEncryption,
  removeVault,
  removeVaultPasskey,
  renameVault,
  rewrapVault,
  setEncryptionRootView,
  setVaultForMembers,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import { type Caller, requireBrowser } from '#/platform/http/session.ts';
import type { Encryption } from './service.ts';

interface Deps {
  readonly encryption: Encryption;
  readonly reauthentication: { require(session: Caller): Promise<void> };
}

export function encryptionRoutes(app: FastifyInstance, { encryption, reauthentication }: Deps): void {
  serve(app, listEncryption, ({ userId }) => encryption.list(userId));
  serve(app, createVault, ({ userId, input, signal }) => encryption.create(userId, input, signal));
  serve(app, renameVault, ({ userId, input }) => encryption.rename(userId, input));
  // Without its sealed passwords a vault opens to nobody: neither a leaked token nor a browser that was left alone must be enough to take them away.
  serve(app, rewrapVault, async ({ userId, session, input }) => {
    await reauthentication.require(session);
    return encryption.rewrap(userId, input);
  });
  serve(app, removeVault, async ({ userId, session, input }) => {
    await reauthentication.require(session);
    return encryption.remove(userId, input.vaultId);
  });
  // Who has the sealed passwords may guess passphrases: a leaked token must not give them to others.
  serve(app, setVaultForMembers, ({ userId, session, input }) => {
    requireBrowser(session);
    return encryption.setForMembers(userId, input);
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
