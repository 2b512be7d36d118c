import { OrgLinks } from '#/features/links/OrgLinks.tsx';
import { OrgList } from '#/features/orgs/OrgList.tsx';

/** The organisations and their links. */
export function OrgCategory() {
  return <OrgList Links={OrgLinks} />;
}
