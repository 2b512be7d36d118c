import { Type } from 'typebox';
import { call } from '../call.ts';

/** Systems that the command-line client runs on, as in the names of its bundles. */
export const clientSystems = ['linux', 'darwin', 'win32'] as const;
export type ClientSystem = (typeof clientSystems)[number];

export const clientOffer = call({
  method: 'GET',
  path: '/rest/client/offer',
  /** Needs no session: the download page is public. */
  session: 'none',
  input: Type.Object({}),
  reply: Type.Object({
    /** Systems with a self-contained bundle and a one-line install command. */
    systems: Type.Array(Type.Unsafe<ClientSystem>({ type: 'string', enum: [...clientSystems] })),
  }),
  summary: 'For which systems this installation offers the client with all it needs.',
});
