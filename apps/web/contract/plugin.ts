import type { Plugin } from 'vite';

/** What of an ESTree node is read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one);
  else if (isNode(value)) {
    yield value;
    for (const field of Object.values(value)) if (typeof field === 'object') yield* nodesOf(field);
  }
}

const nameOf = (value: unknown): string | undefined => (isNode(value) && typeof value['name'] === 'string' ? value['name'] : undefined);

/** Functions that only make schemas and calls: what nobody uses of them may be left out. */
const pure = new Set(['Type', 'call', 'optional']);
/** Fields of a call that only the server reads. */
const ofServer = new Set(['input', 'reply', 'summary']);

/**
 * Leaves the schema library out of the browser's scripts: only the server checks calls. The contract's schemas become
 * one that has any property, because schemas are composed of those of others. Calls lose what only the server reads, and each page gets the calls that it makes.
 */
export function withoutSchemas(): Plugin {
  const id = '\0schemas';
  return {
    name: 'without-schemas',
    apply: 'build',
    resolveId: { order: 'pre', handler: (source) => (source === 'typebox' ? id : undefined) },
    load: (of) =>
      of === id
        ? `const schema = { properties: new Proxy({}, { get: () => schema }) };
           export const Type = new Proxy({}, { get: () => () => schema });`
        : undefined,
    transform(code, of) {
      if (!/[\\/]packages[\\/]contract[\\/]src[\\/]/.test(of)) return undefined;
      const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
      for (const node of nodesOf(this.parse(code))) {
        if (node.type !== 'CallExpression' || !isNode(node['callee'])) continue;
        const callee = node['callee'];
        const name = nameOf(callee) ?? nameOf(callee['object']);
        if (name === undefined || !pure.has(name)) continue;
        // A schema's parts go with it: reading those of another would count as an effect, and keep that one.
        if (name !== 'call') {
          edits.push({ start: node.start, end: node.end, text: '/* @__PURE__ */ Type.Any()' });
          continue;
        }
        edits.push({ start: node.start, end: node.start, text: '/* @__PURE__ */ ' });
        const [draft] = node['arguments'] as Node[];
        if (draft?.type !== 'ObjectExpression') continue;
        for (const property of draft['properties'] as Node[])
          if (ofServer.has(nameOf(property['key']) ?? ''))
            edits.push({ start: property.start, end: property.end, text: `${nameOf(property['key'])}: 0` });
      }
      // What lies within a field that is dropped goes with it.
      const dropped = edits.filter(({ start, end }) => end > start);
      const kept = edits.filter((edit) => !dropped.some((other) => other !== edit && edit.start >= other.start && edit.end <= other.end));
      return {
        code: kept
          .toSorted((one, other) => other.start - one.start)
          .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code),
        map: null,
      };
    },
  };
}
