import { Type } from 'typebox';
import { call } from '../call.ts';

/** Systems that the client for computers runs on, as the names of its bundles have them. */
export const clientSystems = ['linux', 'darwin', 'win32'] as const;
export type ClientSystem = (typeof clientSystems)[number];

export const clientOffer = call({
  method: 'GET',
  path: '/rest/client/offer',
  /** For visitors too: the page of the download is public. */
  session: 'none',
  input: Type.Object({}),
  reply: Type.Object({
    /** Systems for which there is a bundle that needs nothing else, and a line that installs it. */
    systems: Type.Array(Type.Unsafe<ClientSystem>({ type: 'string', enum: [...clientSystems] })),
  }),
  summary: 'For which systems this installation offers the client with all it needs.',
});
