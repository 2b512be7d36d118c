/** An attribute as RFC 7643, section 7, describes it. Absent facts are `false`, and `readWrite`. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly isUnique?: true;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly subAttributes?: readonly Attribute[];
}

/** A kind of resource: the one table that reading, filters, patches and the description of the service use. */
export interface ResourceKind {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
});

const reference: readonly Attribute[] = [
  text('value', 'The id.', { caseExact: true }),
  { name: '$ref', type: 'reference', description: 'The address.', caseExact: true, mutability: 'readOnly' },
  text('display', 'The name.', { mutability: 'readOnly' }),
  text('type', 'What it is.', { mutability: 'readOnly' }),
];

export const userKind: ResourceKind = {
  name: 'User',
  endpoint: '/Users',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  description: 'Somebody who belongs to the organisation, or is invited to it.',
  attributes: [
    text('userName', 'The name by which the directory knows the person; often the e-mail address.', { required: true, isUnique: true }),
    {
      name: 'name',
      type: 'complex',
      description: "The person's name.",
      subAttributes: [
        text('formatted', 'The whole name.'),
        text('familyName', 'The family name.'),
        text('givenName', 'The given name.'),
        text('middleName', 'The middle names.'),
        text('honorificPrefix', 'The title before the name.'),
        text('honorificSuffix', 'The title after the name.'),
      ],
    },
    text('displayName', 'The name that is shown.'),
    text('title', 'The position, such as Vice President.'),
    text('userType', 'The relation to the organisation, such as Employee.'),
    { name: 'active', type: 'boolean', description: 'Whether the person belongs to the organisation.' },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      description: 'E-mail addresses; the primary one, else the first, is the one of the account.',
      subAttributes: [
        text('value', 'The address.'),
        text('display', 'How it is shown.'),
        text('type', 'What it is for, such as work.'),
        { name: 'primary', type: 'boolean', description: 'Whether it is the preferred one.' },
      ],
    },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      description: 'The groups that the person is in.',
      subAttributes: reference.map((attribute) => ({ ...attribute, mutability: 'readOnly' })),
    },
  ],
};

export const groupKind: ResourceKind = {
  name: 'Group',
  endpoint: '/Groups',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  description: 'People of the directory, to whom an admin of the organisation can give a role together.',
  attributes: [
    text('displayName', "The group's name.", { required: true, isUnique: true }),
    { name: 'members', type: 'complex', multiValued: true, description: 'The people in it.', subAttributes: reference },
  ],
};

/** Attributes that every resource has (RFC 7643, section 3.1). */
export const commonAttributes: readonly Attribute[] = [
  {
    name: 'schemas',
    type: 'reference',
    multiValued: true,
    caseExact: true,
    mutability: 'readOnly',
    description: 'The schemas of the resource.',
  },
  text('id', 'The id.', { caseExact: true, mutability: 'readOnly' }),
  text('externalId', "The directory's own id.", { caseExact: true }),
  {
    name: 'meta',
    type: 'complex',
    mutability: 'readOnly',
    description: 'What is known of the resource itself.',
    subAttributes: [
      text('resourceType', 'The kind of resource.', { caseExact: true, mutability: 'readOnly' }),
      { name: 'created', type: 'dateTime', description: 'When it was made.', mutability: 'readOnly' },
      { name: 'lastModified', type: 'dateTime', description: 'When it was last changed.', mutability: 'readOnly' },
      { name: 'location', type: 'reference', description: 'Its address.', caseExact: true, mutability: 'readOnly' },
      text('version', 'Its ETag.', { caseExact: true, mutability: 'readOnly' }),
    ],
  },
];

const allOf = ({ attributes }: ResourceKind): readonly Attribute[] => [...commonAttributes, ...attributes];

/** Finds an attribute by its name, whose case does not matter. */
export const findAttribute = (among: readonly Attribute[] | undefined, name: string): Attribute | undefined =>
  among?.find((attribute) => attribute.name.toLowerCase() === name.toLowerCase());

/** An attribute path, resolved. */
export interface ResolvedPath {
  readonly attribute: Attribute;
  readonly sub?: Attribute;
}

/** Resolves `userName`, `name.familyName` or either after the schema's name (RFC 7644, section 3.10); undefined for what we do not have. */
export function resolvePath(kind: ResourceKind, path: string): ResolvedPath | undefined {
  const prefix = `${kind.schema}:`;
  const own = path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : path;
  const [name = '', subName, ...rest] = own.split('.');
  const attribute = findAttribute(allOf(kind), name);
  if (!attribute || rest.length > 0) return undefined;
  if (subName === undefined) return { attribute };
  const sub = findAttribute(attribute.subAttributes, subName);
  return sub && { attribute, sub };
}
