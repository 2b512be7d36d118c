import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Attribute, type ResourceKind, findAttribute, resolvePath } from './attributes.ts';
import { ScimError } from './errors.ts';
import { type Filter, type Json, type PatchPath, folded, isJson, parsePath, sizeOf, valueMatcher } from './filter.ts';
import { type Resource, mostValues, onePrimary, readOne, readValue } from './resource.ts';

type Verb = 'add' | 'replace' | 'remove';

/** Most operations of one patch. */
const mostOperations = 1000;
/** Most comparisons of values by one change, and by a whole patch: a thousand simple changes of the longest list. */
const [mostAtOnce, mostInAll] = [100_000, 10_000_000];
/** Milliseconds after which a patch lets others be served. */
const turnLasts = 20;
const schema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/**
 * Applies a patch (RFC 7644, section 3.5.2) to a copy of the resource. Attributes that the service does not have are ignored, as in a whole
 * resource. Others are served between two changes. Rejects with invalidSyntax, invalidPath, invalidValue, noTarget, mutability, tooMany.
 */
export async function applyPatch(kind: ResourceKind, resource: Json, body: unknown): Promise<Resource> {
  const [schemas, operations] = isJson(body) ? [valueOf(body, 'schemas'), valueOf(body, 'Operations')] : [];
  if (!Array.isArray(schemas) || !schemas.some((one) => String(one).toLowerCase() === schema.toLowerCase()))
    throw new ScimError('invalidSyntax', `A patch names the schema ${schema}.`);
  if (!Array.isArray(operations) || operations.length === 0) throw new ScimError('invalidSyntax', 'A patch has operations.');
  if (operations.length > mostOperations) throw new ScimError('tooMany', `A patch has ${mostOperations} operations at most.`);
  const patched: Resource = structuredClone({ ...resource });
  let [turnBegan, left] = [performance.now(), mostInAll];
  for (const operation of operations as readonly unknown[]) {
    for (const comparisons of applyOne(kind, patched, operation)) {
      left -= comparisons;
      if (left < 0) throw new ScimError('tooMany', 'The patch compares too many values.');
      if (performance.now() - turnBegan < turnLasts) continue;
      await nextTurn();
      turnBegan = performance.now();
    }
  }
  for (const { name, required } of kind.attributes)
    if (required && (patched[name] === undefined || patched[name] === ''))
      throw new ScimError('invalidValue', `${name} cannot be removed.`);
  return patched;
}

/** Applies the changes of an operation; yields after each by how many comparisons it was made. */
function* applyOne(kind: ResourceKind, resource: Resource, operation: unknown): Generator<number> {
  const [op, path, value] = isJson(operation) ? ['op', 'path', 'value'].map((name) => valueOf(operation, name)) : [];
  const verb = readVerb(op);
  if (path !== undefined && path !== null && typeof path !== 'string') throw new ScimError('invalidPath', 'A path is a text.');
  if (typeof path === 'string' && path !== '') {
    yield change(kind, resource, verb, parsePath(path), value);
    return;
  }
  if (verb === 'remove') throw new ScimError('noTarget', 'What is removed needs a path.');
  if (!isJson(value)) throw new ScimError('invalidValue', 'Without a path, the value is an object of attributes.');
  for (const [name, one] of Object.entries(value)) {
    if (name.toLowerCase() === 'schemas') continue;
    const inside = /^urn:/i.test(name) && isJson(one) && !resolvePath(kind, name) ? Object.entries(one) : undefined;
    // An object under the name of a schema holds attributes of that schema.
    for (const [target, its] of inside ? inside.map(([part, value]) => [`${name}:${part}`, value] as const) : [[name, one] as const]) {
      const parsed = parsePath(target);
      // Okta repeats the id beside what changes. As in a whole resource, what only the service writes is left out (RFC 7644, section 3.3).
      if (resolvePath(kind, parsed.path)?.attribute.mutability !== 'readOnly') yield change(kind, resource, verb, parsed, its);
    }
  }
}

function readVerb(op: unknown): Verb {
  const verb = typeof op === 'string' ? op.toLowerCase() : '';
  // Entra writes them with capitals.
  if (verb === 'add' || verb === 'replace' || verb === 'remove') return verb;
  throw new ScimError('invalidSyntax', 'An operation is add, replace or remove.');
}

/** Returns the number of comparisons that the change took. */
function change(kind: ResourceKind, resource: Resource, verb: Verb, path: PatchPath, value: unknown): number {
  const found = resolvePath(kind, path.path);
  if (!found) return 1;
  const { attribute } = found;
  const subName = path.sub ?? found.sub?.name;
  const sub = subName === undefined ? undefined : findAttribute(attribute.subAttributes, subName);
  if (subName !== undefined && !sub) return 1;
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    throw new ScimError('mutability', `${attribute.name} cannot be changed.`);
  if (path.filter && !attribute.multiValued) throw new ScimError('invalidPath', `${attribute.name} has one value only.`);
  const before = resource[attribute.name];
  const comparisons = (Array.isArray(before) ? before.length : 1) * (path.filter ? sizeOf(path.filter) : 1);
  if (comparisons > mostAtOnce) throw new ScimError('tooMany', 'The filter compares too many values.');
  const after = attribute.multiValued
    ? changeMany(attribute, Array.isArray(before) ? before : [], { verb, filter: path.filter, sub, value })
    : changeOne(attribute, before, { verb, sub, value });
  if (after === undefined) delete resource[attribute.name];
  else resource[attribute.name] = after;
  return comparisons;
}

interface Change {
  readonly verb: Verb;
  readonly filter?: Filter | undefined;
  readonly sub: Attribute | undefined;
  readonly value: unknown;
}

function changeOne(attribute: Attribute, before: unknown, { verb, sub, value }: Change): unknown {
  if (sub) return part(isJson(before) ? before : {}, sub, verb, value);
  if (verb === 'remove') return undefined;
  const given = readValue(attribute, value);
  // Parts that are not named stay (RFC 7644, section 3.5.2.3).
  return isJson(given) ? { ...(isJson(before) ? before : {}), ...given } : given;
}

/** The value with one part changed; undefined when none is left. */
function part(value: Json, sub: Attribute, verb: Verb, given: unknown): Json | undefined {
  const read = verb === 'remove' ? undefined : readValue(sub, given);
  const { [sub.name]: _former, ...rest } = value;
  const changed = read === undefined ? rest : { ...rest, [sub.name]: read };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

function changeMany(attribute: Attribute, before: readonly unknown[], { verb, filter, sub, value }: Change): unknown[] | undefined {
  const ended = (values: readonly unknown[]): unknown[] | undefined => {
    if (values.length > mostValues) throw new ScimError('invalidValue', `${attribute.name} has too many values.`);
    return values.length === 0 ? undefined : onePrimary(values);
  };
  const matchesFilter = filter && valueMatcher(attribute, filter);
  const isMatch = (one: unknown): boolean => matchesFilter === undefined || (isJson(one) && matchesFilter(one));
  if (verb === 'remove') {
    if (sub)
      return ended(
        before.map((one) => (isMatch(one) && isJson(one) ? part(one, sub, verb, value) : one)).filter((one) => one !== undefined),
      );
    if (filter || value === undefined || value === null) return ended(before.filter((one) => !isMatch(one)));
    // Entra names the members to remove as the value.
    const gone = new Set(listOf(value).map((one) => keyOf(readOne(attribute, one))));
    return ended(before.filter((one) => !gone.has(keyOf(one))));
  }
  if (sub || filter) {
    const targets = before.filter(isMatch);
    if (targets.length === 0) {
      if (verb === 'replace' && filter) throw new ScimError('noTarget', `No value of ${attribute.name} matches.`);
      const made = {
        ...(filter ? named(attribute, filter) : {}),
        ...(sub ? { [sub.name]: readValue(sub, value) } : objectOf(readOne(attribute, value))),
      };
      return ended([...before, made]);
    }
    return ended(
      primaryLast(before, isMatch, (one) =>
        sub ? (part(objectOf(one), sub, verb, value) ?? {}) : { ...objectOf(one), ...objectOf(readOne(attribute, value)) },
      ),
    );
  }
  const given = readValue(attribute, value);
  if (verb === 'replace') return ended(Array.isArray(given) ? given : []);
  const there = new Set(before.map(keyOf));
  const added = (Array.isArray(given) ? given : []).filter((one) => !there.has(keyOf(one)));
  return ended([...before, ...added]);
}

/** Changes the values that match. One that becomes the primary one takes that from all others, also from later ones. */
function primaryLast(before: readonly unknown[], isMatch: (one: unknown) => boolean, changed: (one: unknown) => Json): unknown[] {
  const after = before.map((one) => (isMatch(one) ? changed(one) : one));
  const isNew = after.some(
    (one, at) => isMatch(before[at]) && isJson(one) && one['primary'] === true && objectOf(before[at])['primary'] !== true,
  );
  if (!isNew) return after;
  return after.map((one, at) => (!isMatch(before[at]) && isJson(one) && one['primary'] === true ? { ...one, primary: false } : one));
}

/** The value that a filter of equalities describes, for one that is missing: `emails[type eq "work"]` makes one of that type. */
function named(attribute: Attribute, filter: Filter): Json {
  if (filter.is === 'and') return Object.assign({}, ...filter.all.map((one) => named(attribute, one))) as Json;
  const sub = filter.is === 'compare' && filter.operator === 'eq' ? findAttribute(attribute.subAttributes, filter.path) : undefined;
  return sub && filter.is === 'compare' ? { [sub.name]: readValue(sub, filter.value) } : {};
}

/** The keys of values, which many operations of one patch compare. Values are never changed, only replaced. */
const keys = new WeakMap<Json, string>();
/** The key by which two values count as the same. */
function keyOf(value: unknown): string {
  if (!isJson(value)) return JSON.stringify(value);
  const known = keys.get(value);
  if (known !== undefined) return known;
  const key = typeof value['value'] === 'string' ? folded(value['value']) : JSON.stringify(value);
  keys.set(value, key);
  return key;
}
const objectOf = (value: unknown): Json => (isJson(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const valueOf = (body: Json, name: string): unknown => Object.entries(body).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
