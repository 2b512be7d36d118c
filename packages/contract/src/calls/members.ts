import { type TSchema, Type } from 'typebox';
import { ErrorAnswer } from '../error-answer.ts';

const text = Type.String();
const optional = Type.Optional;

/** A member of a Space or an organisation, or an invitation. */
export const memberOf = <Role extends TSchema>(role: Role) =>
  Type.Object({
    /** Id of the member or the invitation. */
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

/** Invited addresses, and refused ones with the reason. */
export const Invited = Type.Object({
  invited: Type.Array(text),
  refused: Type.Array(Type.Object({ email: text, ...ErrorAnswer.properties })),
});

/** Reference to an invitation: its mailed token, or its id for a user with the verified address. */
export const InvitationAnswer = Type.Object({ token: optional(text), invitationId: optional(text), rTag: optional(text) });
