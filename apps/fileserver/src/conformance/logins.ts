import { createClient } from './client.ts';
import { type Promised, expect } from './promise.ts';

export const loginPromises: readonly Promised[] = [
  {
    title: 'a call without a login is unauthorized, and the answer says how to sign in',
    async run({ url }) {
      const stranger = createClient(url, '');
      expect('the refusal', await stranger.refusal('GET', 'info'), [401, 'unauthorized']);
      const { headers } = await stranger.ask('GET', 'info');
      expect('WWW-Authenticate', /^(?:Basic|Bearer) /i.test(headers.get('www-authenticate') ?? ''), true);
    },
  },
  {
    title: 'a wrong login is unauthorized, for every call',
    async run({ url }) {
      const bearer = createClient(url, 'Bearer sheaf-conformance.wrong');
      const basic = createClient(url, `Basic ${Buffer.from('sheaf-conformance:wrong').toString('base64')}`);
      for (const stranger of [bearer, basic])
        for (const call of ['info', 'entries']) expect(call, await stranger.refusal('GET', call, { path: '/' }), [401, 'unauthorized']);
    },
  },
  {
    title: 'a call that does not exist is unsupported',
    async run({ client }) {
      expect('the refusal', await client.refusal('GET', 'no-such-call'), [405, 'unsupported']);
    },
  },
];
