import { type Attribute, type ResourceKind, commonAttributes, groupKind, userKind } from './protocol/attributes.ts';
import { ScimError } from './protocol/errors.ts';
import type { Json } from './protocol/filter.ts';
import { listBody, mostResults } from './query.ts';

const kinds = [userKind, groupKind];

/** Describes an attribute in the form of RFC 7643, section 7. */
const described = ({
  name,
  type,
  description,
  multiValued,
  required,
  caseExact,
  isUnique,
  mutability,
  subAttributes,
}: Attribute): Json => ({
  name,
  type,
  multiValued: multiValued === true,
  description,
  required: required === true,
  ...(type !== 'boolean' && type !== 'complex' && { caseExact: caseExact === true }),
  mutability: mutability ?? 'readWrite',
  returned: 'default',
  uniqueness: isUnique ? 'server' : 'none',
  ...(type === 'reference' && { referenceTypes: ['User', 'Group'] }),
  ...(subAttributes && { subAttributes: subAttributes.map(described) }),
});

const resourceType = (address: string, { name, endpoint, schema, description }: ResourceKind): Json => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  description,
  schema,
  meta: { resourceType: 'ResourceType', location: `${address}/ResourceTypes/${name}` },
});

const schemaOf = (address: string, { name, schema, description, attributes }: ResourceKind): Json => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id: schema,
  name,
  description,
  attributes: [...attributes, ...commonAttributes.filter((attribute) => attribute.name === 'externalId')].map(described),
  meta: { resourceType: 'Schema', location: `${address}/Schemas/${schema}` },
});

/** What the service can do (RFC 7643, section 5; RFC 7644, section 4). */
export const serviceConfig = (address: string): Json => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token',
      description: 'A token that an admin of the organisation makes on its page Directory.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${address}/ServiceProviderConfig` },
});

const found = (what: Json | undefined): Json => {
  if (!what) throw new ScimError(404, 'There is no such thing.');
  return what;
};

export const resourceTypes = (address: string): Json =>
  listBody(
    kinds.length,
    1,
    kinds.map((kind) => resourceType(address, kind)),
  );
/** Throws 404. */
export function oneResourceType(address: string, id: string): Json {
  const kind = kinds.find(({ name }) => name === id);
  return found(kind && resourceType(address, kind));
}
export const schemas = (address: string): Json =>
  listBody(
    kinds.length,
    1,
    kinds.map((kind) => schemaOf(address, kind)),
  );
/** Throws 404. */
export function oneSchema(address: string, id: string): Json {
  const kind = kinds.find(({ schema }) => schema.toLowerCase() === id.toLowerCase());
  return found(kind && schemaOf(address, kind));
}
