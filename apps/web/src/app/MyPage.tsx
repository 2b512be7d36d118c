import { LinksPage } from '#/features/links/LinksPage.tsx';
import { comingCategories } from '#/features/pages/coming.ts';
import { SharesPage } from '#/features/shares/SharesPage.tsx';
import { useQueryParams } from '#/lib/location.ts';
import { NotYet } from '#/ui/NotYet.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './MyPage.module.css';

const categories = [
  { id: 'links', title: 'Links' },
  { id: 'shares', title: 'Shared links' },
  { id: 'spaces', title: 'Spaces' },
  { id: 'encryption', title: 'Encryption' },
  { id: 'org', title: 'Organisation' },
] as const;

/** The home page: the links, or the category that the address names. */
export function MyPage() {
  const { catid } = useQueryParams();
  const { id } = categories.find((category) => category.id === catid) ?? categories[0];
  return (
    <>
      <nav className={classes.tabs} aria-label="Categories">
        {categories.map((category) => (
          <PathLink
            key={category.id}
            className={classes.tab}
            href={category.id === 'links' ? '/account/mysheaf' : `/account/mysheaf?catid=${category.id}`}
            aria-current={category.id === id ? 'page' : undefined}
          >
            {category.title}
          </PathLink>
        ))}
      </nav>
      {id === 'links' ? <LinksPage /> : id === 'shares' ? <SharesPage /> : <Coming id={id} />}
    </>
  );
}

function Coming({ id }: { id: keyof typeof comingCategories }) {
  const { title, text } = comingCategories[id];
  return <NotYet title={title} text={text} />;
}
