import { accountPicture, appError } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#/platform/http/serve.ts';
import type { ProfilePictures } from './service.ts';

/** The signed-in user's picture. */
export function profilePictureRoutes(app: FastifyInstance, pictures: Pick<ProfilePictures, 'find'>): void {
  serve(app, accountPicture, async ({ userId, reply }) => {
    const image = await pictures.find(userId);
    if (!image) throw appError('NO_PICTURE', { name: 'picture' });
    // Its address changes with it.
    return reply.type('image/webp').header('cache-control', 'private, max-age=604800, immutable').send(image);
  });
}
