import { after, before, describe } from 'node:test';
import { type Procore, startProcore } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance } from '../../conformance/index.ts';
import type { Connector } from '../../core/connector.ts';
import { type ProcoreOptions, openProcore } from './connector.ts';
import { procore } from './index.ts';

const { authorization } = procore;
const [quay, own] = ['/Harbour Builders/Quay 7', '/Harbour Builders/Company documents'];

/** A link of Mara's, with what she granted. */
function open(server: Procore, options: ProcoreOptions = {}, seconds?: number): Connector {
  const { accessToken, refreshToken, expiresIn } = server.oauth.grant(server.people.mara.email, [], seconds);
  const grant = { accessToken, ...(refreshToken && { refreshToken }), ...(expiresIn && { expiresAt: Date.now() + expiresIn * 1000 }) };
  return openProcore(testEnv({ app: server.app, grant, ...(authorization && { authorization }), provider: 'Procore' }), options);
}

describe('Procore', () => {
  let server: Procore;
  before(async () => {
    server = await startProcore();
  });
  after(() => server.stop());

  for (const [kind, root] of [
    ['a project', `${quay}/Drawings`],
    ["a company's documents", own],
  ] as const)
    describe(`on its simulator, in ${kind}`, () => {
      after(() => server.assertClean());
      conformance(`Procore, ${kind}`, async () => open(server), { lacks: ['copy'], offers: ['search'], root, many: 600 });
    });
});
