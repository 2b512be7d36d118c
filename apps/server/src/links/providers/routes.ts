import { getLinkProvider, listLinkProviders } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { Providers } from './service.ts';

export function providerRoutes(app: FastifyInstance, providers: Providers): void {
  serve(app, getLinkProvider, ({ input }) => ({ provider: providers.find(input.provider) }));
  serve(app, listLinkProviders, () => ({ providers: providers.list() }));
}
