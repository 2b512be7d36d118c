import { join } from 'node:path';
import {
  type Handler,
  type OAuthOptions,
  type Reply,
  type SimulatedRequest,
  createOAuth,
  readDescription,
  startSimulator,
  tokenError,
} from '../kit/index.ts';
import { smallJpeg } from '../kit/picture.ts';
import { createCdn } from './cdn.ts';
import { chosen, graphError, missing, page, problemReply } from './graph.ts';

const description = readDescription(join(import.meta.dirname, 'instagram.json'));
export type Instagram = Awaited<ReturnType<typeof startInstagram>>;

const accounts = [{ id: '17841400000000001', email: 'mara@example.org', name: 'mara.photographs' }];
const sixtyDays = 5_184_000;
const day = 86_400;

export interface Media {
  readonly id: string;
  readonly caption?: string;
  readonly type: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  readonly timestamp: string;
  readonly children: readonly Media[];
  /** Withheld because of others' rights. */
  readonly isHeldBack: boolean;
}
export interface NewMedia {
  readonly caption?: string;
  readonly type?: Media['type'];
  readonly timestamp?: string;
  readonly bytes?: string | Uint8Array;
  readonly children?: readonly NewMedia[];
  readonly isHeldBack?: boolean;
}

interface Options {
  readonly client?: OAuthOptions['client'];
}

/** Instagram with Instagram Login: one professional account and its published media. */
export async function startInstagram({
  client = { id: '815', secret: 'instagram secret', title: 'Sheaf', redirectUris: [] },
}: Options = {}) {
  const cdn = createCdn();
  const published: Media[] = [];
  const byId = new Map<string, Media>();
  const firstDay = new Map<string, number>();
  const behaviour = { ahead: 0, hollow: 0 };
  const now = () => Date.now() / 1000 + behaviour.ahead;
  let last = 17_895_695_668_000_000n;

  const oauth = createOAuth({
    provider: 'Instagram',
    client,
    accounts,
    scopes: ['instagram_business_basic'],
    scopeSeparator: ',',
    pkce: 'none',
    accessSeconds: 3600,
    offline: () => false,
    answer: ({ access_token, expires_in }) => {
      firstDay.set(String(access_token), now());
      return { access_token, token_type: 'bearer', expires_in };
    },
    refuse: (_error, why) => graphError(400, 190, why),
    grants: {
      ig_exchange_token(fields) {
        if (fields.get('client_secret') !== client.secret) throw tokenError('invalid_client', 'The secret is wrong.');
        return longOf(fields.get('access_token'));
      },
      ig_refresh_token(fields) {
        const token = fields.get('access_token');
        const grant = longOf(token);
        if (now() - (firstDay.get(token ?? '') ?? now()) < day) throw tokenError('invalid_grant', 'The token is younger than a day.');
        return grant;
      },
    },
  });
  function longOf(token: string | null) {
    const identity = oauth.check(token ?? undefined);
    if (typeof identity === 'string') throw tokenError('invalid_grant', `The token is ${identity}.`);
    return { account: identity.account, scopes: identity.scopes, offline: false, seconds: sixtyDays };
  }

  /** The first token comes from another host, in another format and without a lifetime. */
  const redeemCode: Handler = async (request): Promise<Reply> => {
    const { status = 200, json } = await oauth.handlers.token(request);
    const answer = json as Readonly<Record<string, unknown>>;
    if (status !== 200)
      return { status: 400, json: { error_type: 'OAuthException', code: 400, error_message: 'Invalid authorization code' } };
    return { json: { access_token: answer['access_token'], user_id: Number(accounts[0]?.id), permissions: 'instagram_business_basic' } };
  };

  function make({
    caption,
    type = 'IMAGE',
    timestamp = '2026-03-01T18:10:00+0000',
    bytes = smallJpeg,
    children = [],
    isHeldBack = false,
  }: NewMedia): Media {
    const id = String((last += 1n));
    const media = { id, type, timestamp, isHeldBack, children: children.map(make), ...(caption !== undefined && { caption }) };
    cdn.put(id, type === 'VIDEO' ? 'media.mp4' : 'media.jpg', bytes);
    if (type === 'VIDEO') cdn.put(id, 'poster.jpg', smallJpeg);
    byId.set(id, media);
    return media;
  }

  function publish(media: NewMedia): Media {
    const made = make(media);
    published.unshift(made);
    return made;
  }

  function mediaJson({ id, caption, type, timestamp, isHeldBack, children }: Media, { url, query }: SimulatedRequest) {
    const first = children[0] ?? { id, type };
    const form = first.type === 'VIDEO' ? 'media.mp4' : 'media.jpg';
    const all = {
      id,
      caption,
      media_type: type,
      media_url: isHeldBack ? undefined : cdn.address(url, first.id, form),
      thumbnail_url: type === 'VIDEO' ? cdn.address(url, id, 'poster.jpg') : undefined,
      timestamp,
    };
    return chosen(query, all, ['id']);
  }

  const graph: Readonly<Record<string, Handler>> = {
    'GET /me': ({ query }) => ({
      json: chosen(query, { id: '2002', user_id: Number(accounts[0]?.id), username: accounts[0]?.name }, ['id']),
    }),
    'GET /{ig-user-id}/media': (request) => {
      if (request.params['ig-user-id'] !== 'me') throw missing();
      const hollow = behaviour.hollow > 0 ? behaviour.hollow-- : 0;
      return page(request, published, (media) => mediaJson(media, request), hollow);
    },
    'GET /{ig-media-id}': (request) => {
      const media = byId.get(request.params['ig-media-id'] ?? '');
      if (!media) throw missing();
      return { json: mediaJson(media, request) };
    },
    'GET /{ig-media-id}/children': (request) => {
      const media = byId.get(request.params['ig-media-id'] ?? '');
      if (!media) throw missing();
      return page(request, media.children, (child) => mediaJson(child, request));
    },
    'GET /access_token': oauth.handlers.token,
    'GET /refresh_access_token': oauth.handlers.token,
  };
  const { routes: pages, ...www } = oauth.mount({ at: '/www/oauth', authorize: '/authorize', token: '/token' });
  const host = {
    description,
    open: ['GET /access_token', 'GET /refresh_access_token'],
    scopes: { '*': ['instagram_business_basic'] },
    routes: graph,
  };
  const simulator = await startSimulator({
    name: 'instagram',
    authenticate: oauth.authenticate,
    refusal: problemReply,
    mounts: [
      { ...www, routes: Object.fromEntries(Object.entries(pages).filter(([key]) => key.endsWith(' /authorize'))) },
      { at: '/graph/v25.0', ...host },
      { at: '/graph', ...host },
      { at: '/api', description, open: 'all', routes: { 'POST /oauth/access_token': redeemCode } },
      cdn.mount,
    ],
  });

  return {
    ...simulator,
    simulator,
    oauth,
    published,
    /** Operator settings. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: `${simulator.url}/graph/v25.0`,
      authUrl: `${simulator.url}/www/oauth/authorize`,
      tokenUrl: `${simulator.url}/api/oauth/access_token`,
    },
    publish,
    expireAddresses: cdn.expire,
    /** Makes the next pages of media empty, although others follow. */
    hollowPages: (count: number): void => void (behaviour.hollow = count),
    advance(seconds: number): void {
      behaviour.ahead += seconds;
      oauth.advance(seconds);
    },
    /** A few pictures, a video and an album. */
    seed() {
      for (const caption of ['Quay in the morning', 'Ice']) publish({ caption });
      publish({ caption: 'The ferry', type: 'VIDEO', bytes: 'no real video' });
      publish({
        caption: 'Three days up north',
        type: 'CAROUSEL_ALBUM',
        children: [{}, {}, { type: 'VIDEO', bytes: 'no real video either' }],
      });
    },
  };
}
