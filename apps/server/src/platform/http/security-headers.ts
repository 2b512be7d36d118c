import type { FastifyInstance } from 'fastify';

/**
 * Headers of every response. Scripts come from this origin only, never inline; images may also be data (small icons) and blobs (previews); framing is
 * forbidden. Content-Security-Policy Level 3, Fetch Metadata, and RFC 6797 on https.
 */
const headersFor = (cardForm: string) => ({
  'content-security-policy': [
    "default-src 'self'",
    `script-src 'self'${cardForm}`,
    // The component library positions elements by style attributes.
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
 * Adds the headers before any handler runs, so that a handler may tighten them. `secure`: the installation is reached by https; `cardForm`: origins
 * of the billing provider's card form.
 */
export function sendSecurityHeaders(app: FastifyInstance, secure: boolean, cardForm: readonly string[]): void {
  const headers = headersFor(cardForm.map((origin) => ` ${origin}`).join(''));
  const all = secure ? { ...headers, 'strict-transport-security': 'max-age=31536000' } : headers;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(all);
    done();
  });
}
