/** Kinds of faults of RFC 7644, section 3.12 (table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

const statuses: Readonly<Record<ScimType, number>> = {
  invalidFilter: 400,
  tooMany: 400,
  uniqueness: 409,
  mutability: 400,
  invalidSyntax: 400,
  invalidPath: 400,
  noTarget: 400,
  invalidValue: 400,
};

/** A refusal in the words of SCIM. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(kind: ScimType | number, sentence: string) {
    super(sentence);
    this.name = 'ScimError';
    this.status = typeof kind === 'number' ? kind : statuses[kind];
    this.scimType = typeof kind === 'number' ? undefined : kind;
  }
}

/** The body of an error (RFC 7644, section 3.12). */
export const errorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
});
