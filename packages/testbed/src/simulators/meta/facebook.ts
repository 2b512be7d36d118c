import { join } from 'node:path';
import {
  type Handler,
  type OAuthOptions,
  type SimulatedRequest,
  createOAuth,
  readDescription,
  startSimulator,
  tokenError,
} from '../kit/index.ts';
import { drawPicture } from '../picture.ts';
import { createCdn } from './cdn.ts';
import { type Album, type Photo, type Video, createFacebookState, forms } from './facebook-state.ts';
import { checkProof, chosen, graphError, missing, page, problemReply } from './graph.ts';

const description = readDescription(join(import.meta.dirname, 'facebook.json'));
export type Facebook = Awaited<ReturnType<typeof startFacebook>>;

const scopes = ['public_profile', 'email', 'user_photos', 'user_videos'];
const accounts = [{ id: '1021', email: 'mara@example.org', name: 'Mara Lind' }];
const sixtyDays = 5_184_000;

interface Options {
  readonly client?: OAuthOptions['client'];
}

/** Facebook's Graph API: one user with albums, photos and videos, an application that requires proofs, and a media host. */
export async function startFacebook({
  client = { id: '4711', secret: 'facebook secret', title: 'Sheaf', redirectUris: [] },
}: Options = {}) {
  const cdn = createCdn();
  const state = createFacebookState(cdn);
  const behaviour = { hollow: 0 };
  const oauth = createOAuth({
    provider: 'Facebook',
    client,
    accounts,
    scopes,
    scopeSeparator: ',',
    pkce: 'none',
    accessSeconds: 3600,
    offline: () => false,
    refuse(error, why) {
      if (error === 'invalid_client') return graphError(400, 1, 'Error validating client secret.');
      return error === 'bad_token' ? graphError(400, 190, why, 463) : graphError(400, 100, why);
    },
    grants: {
      fb_exchange_token(fields) {
        if (fields.get('client_id') !== client.id || fields.get('client_secret') !== client.secret) throw tokenError('invalid_client', '');
        const identity = oauth.check(fields.get('fb_exchange_token') ?? undefined);
        if (typeof identity === 'string') throw tokenError('bad_token', `The token is ${identity}.`);
        return { account: identity.account, scopes: identity.scopes, offline: false, seconds: sixtyDays };
      },
    },
  });

  const timesOf = ({ created }: { readonly created: string }) => ({ created_time: created, updated_time: created });
  const albumJson = ({ id, name, photos }: Album) => ({
    id,
    name,
    count: photos.length,
    ...timesOf({ created: '2026-04-01T00:00:00+0000' }),
  });
  const photoJson = (photo: Photo, { url }: SimulatedRequest) => ({
    id: photo.id,
    name: photo.name,
    ...timesOf(photo),
    album: { id: photo.album },
    images: forms.map(([width, height]) => ({ width, height, source: cdn.address(url, photo.id, `${width}.${photo.extension}`) })),
  });
  const videoJson = (video: Video, { url }: SimulatedRequest) => ({
    id: video.id,
    title: video.title,
    description: undefined,
    ...timesOf(video),
    source: video.hasSource ? cdn.address(url, video.id, 'video.mp4') : undefined,
    picture: cdn.address(url, video.id, 'poster.jpg'),
  });
  const optional = ['name', 'title', 'description', 'source'];
  const show = (request: SimulatedRequest, one: Readonly<Record<string, unknown>>) =>
    chosen(request.query, { ...Object.fromEntries(optional.filter((name) => name in one).map((name) => [name, undefined])), ...one }, [
      'id',
    ]);
  const hollow = (): number => (behaviour.hollow > 0 ? behaviour.hollow-- : 0);

  const photos: Handler = (request) => {
    const place = request.params['user-id'] ?? '';
    const rows = place === 'me' ? (request.query.get('type') === 'tagged' ? state.tagged : []) : state.albumOf(place)?.photos;
    if (!rows) throw missing();
    return page(request, rows, (photo) => show(request, photoJson(photo, request)), hollow());
  };

  const ofId: Handler = (request) => {
    const id = request.params['album-id'] ?? '';
    const [album, photo, video] = [state.albumOf(id), state.photoOf(id), state.videoOf(id)];
    if (album) return { json: show(request, albumJson(album)) };
    if (photo) return { json: show(request, photoJson(photo, request)) };
    if (video && request.scopes.includes('user_videos')) return { json: show(request, videoJson(video, request)) };
    throw missing();
  };

  const proven =
    (handler: Handler): Handler =>
    (request) => {
      checkProof(request, client.secret);
      return handler(request);
    };
  const routes: Readonly<Record<string, Handler>> = {
    'GET /me': (request) => ({ json: show(request, { ...accounts[0] }) }),
    'GET /{user-id}/permissions': (request) =>
      page(request, scopes, (permission) => ({ permission, status: request.scopes.includes(permission) ? 'granted' : 'declined' })),
    'DELETE /{user-id}/permissions': ({ account }) => {
      oauth.revokeAccount(account.email);
      return { json: { success: true } };
    },
    'GET /{user-id}/albums': (request) => page(request, state.albums, (album) => show(request, albumJson(album))),
    'GET /{user-id}/photos': photos,
    'GET /{user-id}/videos': (request) => page(request, state.videos, (video) => show(request, videoJson(video, request))),
    'GET /{album-id}': ofId,
  };

  const { routes: pages, ...www } = oauth.mount({
    at: '/www/v25.0',
    authorize: '/dialog/oauth',
    token: '/token',
    extra: { auth_type: ['rerequest', 'reauthenticate'] },
  });
  const simulator = await startSimulator({
    name: 'facebook',
    authenticate: oauth.authenticate,
    refusal: problemReply,
    mounts: [
      { ...www, routes: Object.fromEntries(Object.entries(pages).filter(([key]) => key.endsWith(' /dialog/oauth'))) },
      {
        at: '/graph/v25.0',
        description,
        open: ['POST /oauth/access_token'],
        scopes: {
          'GET /{user-id}/albums': ['user_photos'],
          'GET /{user-id}/photos': ['user_photos'],
          'GET /{user-id}/videos': ['user_videos'],
        },
        routes: {
          ...Object.fromEntries(Object.entries(routes).map(([key, handler]) => [key, proven(handler)])),
          'POST /oauth/access_token': oauth.handlers.token,
        },
      },
      cdn.mount,
    ],
  });

  return {
    ...simulator,
    simulator,
    oauth,
    state,
    /** Operator settings. */
    app: {
      clientId: client.id,
      clientSecret: client.secret,
      apiUrl: `${simulator.url}/graph/v25.0`,
      authUrl: `${simulator.url}/www/v25.0/dialog/oauth`,
      tokenUrl: `${simulator.url}/graph/v25.0/oauth/access_token`,
    },
    /** Expires every media URL issued so far. */
    expireAddresses: cdn.expire,
    /** Makes the next pages of photos empty, although others follow. */
    hollowPages: (count: number): void => void (behaviour.hollow = count),
    /** Two albums, a photo of somebody else's and a video. */
    seed() {
      const [harbour, untitled] = [state.addAlbum('Harbour'), state.addAlbum('Timeline photos')];
      const draw = (light: readonly number[], dark: readonly number[]) => ({
        bytes: drawPicture(320, 213, light, dark),
        extension: 'png' as const,
      });
      state.addPhoto(harbour, { name: 'Morning at the quay', ...draw([250, 214, 165], [92, 124, 250]) });
      state.addPhoto(harbour, { name: 'Evening', ...draw([240, 101, 149], [52, 58, 64]) });
      state.addPhoto(harbour);
      state.addPhoto(untitled, { name: 'Ice\nfar out', created: '2026-02-11T07:30:00+0000', ...draw([165, 216, 255], [34, 139, 230]) });
      state.addTagged({ name: 'With Noor' });
      state.addVideo('Ferry', 'no real video');
    },
  };
}
