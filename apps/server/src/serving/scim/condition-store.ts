import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Condition } from './narrowing.ts';

type Kind = 'user' | 'group';

/** The people of an organisation who meet the condition. */
export const usersWhere = (db: Db, orgId: string, condition: Condition | undefined) => {
  const all = db.selectFrom('scim_user').where('orgId', '=', orgId);
  return condition ? all.where(whether('user', condition)) : all;
};

/** The groups of an organisation that meet the condition. */
export const groupsWhere = (db: Db, orgId: string, condition: Condition | undefined) => {
  const all = db.selectFrom('scim_group').where('orgId', '=', orgId);
  return condition ? all.where(whether('group', condition)) : all;
};

/** The text with the characters escaped that LIKE gives a meaning. */
const pattern = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);

function whether(kind: Kind, condition: Condition): RawBuilder<boolean> {
  const key = sql.ref(kind === 'user' ? 'userNameKey' : 'nameKey');
  switch (condition.is) {
    case 'and':
    case 'or':
      return sql`(${sql.join(
        condition.all.map((one) => whether(kind, one)),
        condition.is === 'and' ? sql` and ` : sql` or `,
      )})`;
    case 'not':
      // An external id that is null equals nothing, and so does not meet what is negated.
      return sql`not coalesce(${whether(kind, condition.condition)}, false)`;
    case 'equal':
      return sql`${condition.column === 'key' ? key : sql.ref(condition.column)} = ${condition.value}`;
    case 'keyBegins':
      return sql`${key} like ${`${pattern(condition.start)}%`} escape '\\'`;
    case 'time':
      return sql`${sql.ref(condition.column)} ${sql.raw(condition.operator)} ${condition.seconds}`;
    case 'joined':
      return kind === 'user'
        ? sql`"id" in (select "userId" from "scim_group_member" where "groupId" = ${condition.id})`
        : sql`"id" in (select "groupId" from "scim_group_member" where "userId" = ${condition.id})`;
    case 'mentions':
      // These two letters become ASCII in lower case, which not every database knows.
      return sql`lower(replace(replace("resource", '\u212a', 'k'), '\u0130', 'i')) like ${`%${pattern(condition.text)}%`} escape '\\'`;
  }
}
