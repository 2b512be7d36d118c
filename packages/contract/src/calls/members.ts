import { type TSchema, Type } from 'typebox';

const text = Type.String();
const optional = Type.Optional;

/** Somebody in a space or an organisation, or invited to it. */
export const memberOf = <Role extends TSchema>(role: Role) =>
  Type.Object({
    /** A member's or an invitation's. */
    memberId: text,
    /** Empty for an invitation. */
    name: text,
    email: text,
    role,
    isInvited: Type.Boolean(),
    isYou: Type.Boolean(),
    /** Epoch seconds. */
    since: Type.Integer(),
  });

/** Who is invited, and who could not be and why. */
export const Invited = Type.Object({ invited: Type.Array(text), refused: Type.Array(Type.Object({ email: text, message: text })) });

/** Which invitation is answered: by the token of its mail, or by its id for whoever has proven the address. */
export const InvitationAnswer = Type.Object({ token: optional(text), invitationId: optional(text), rTag: optional(text) });
