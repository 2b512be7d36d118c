import type { Plugin } from 'vite';

/**
 * Leaves the schema library out of the browser's scripts: only the server checks calls. The contract's schemas become empty objects; objects keep their
 * properties, because schemas are composed of those of others.
 */
export function withoutSchemas(): Plugin {
  const id = '\0schemas';
  return {
    name: 'without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source === 'typebox' ? id : undefined),
    load: (of) =>
      of === id
        ? `const own = { Object: (properties) => ({ properties }), Partial: (schema) => schema };
           const empty = () => ({});
           export const Type = new Proxy(own, { get: (known, name) => known[name] ?? empty });`
        : undefined,
  };
}
