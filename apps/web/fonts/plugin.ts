import type { Plugin } from 'vite';

/** The part of the font that every page of ours needs. */
const everywhere = /(?:^|\/)inter-latin-opsz-normal-[\w-]+\.woff2$/;

/**
 * Text keeps the font it was first shown in, so that nothing moves: a font that arrives later is used from the next page on (`font-display: optional`, CSS
 * Fonts 4, section 4.9). The page asks for it before its scripts, so that it is there when they draw.
 */
export function steadyFonts(): Plugin {
  return {
    name: 'steady-fonts',
    enforce: 'pre',
    transform: (code, id) =>
      /[\\/]@fontsource-variable[\\/].*\.css$/.test(id)
        ? { code: code.replaceAll('font-display: swap', 'font-display: optional'), map: null }
        : undefined,
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((path) => everywhere.test(path))
          .map((path) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${path}` },
            injectTo: 'head' as const,
          })),
    },
  };
}
