import type { FastifyInstance } from 'fastify';

/**
 * Sent with every answer. Scripts come from this origin only and never from within a page; images may also be data (small icons) and blobs
 * (previews); nobody may put the app into a frame. Content-Security-Policy Level 3, Fetch Metadata's neighbours, and RFC 6797 on https.
 */
const headersFor = (cardForm: string) => ({
  'content-security-policy': [
    "default-src 'self'",
    `script-src 'self'${cardForm}`,
    // The component library positions things by style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self'${cardForm}`,
    ...(cardForm === '' ? [] : [`frame-src${cardForm}`]),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
});

/**
 * Adds the headers before any handler runs, so that a handler may narrow them. `secure`: the installation is reached by https; `cardForm`: origins that
 * the card form of a billing provider comes from.
 */
export function sendSecurityHeaders(app: FastifyInstance, secure: boolean, cardForm: readonly string[]): void {
  const headers = headersFor(cardForm.map((origin) => ` ${origin}`).join(''));
  const all = secure ? { ...headers, 'strict-transport-security': 'max-age=31536000' } : headers;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(all);
    done();
  });
}
