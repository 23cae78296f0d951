import { PAGES, type PageName } from '../../src/contract/page-names.ts';
import { addressOf, PAGE_WORDS } from './pages.ts';
import { PageIcon } from './shell/PageIcon.tsx';

/** How many things a page has; a page without a number shows none. */
type Counts = Partial<Record<PageName, number>>;

/** A link to each page. Requests that wait are counted in another colour. */
export function Navigation({ current, counts }: { current: PageName; counts: Counts }) {
  return (
    <nav className="navigation" aria-label="Pages">
      <ul>
        {PAGES.map((name) => (
          <li key={name}>
            <a
              className="page-link"
              href={addressOf({ page: name })}
              title={PAGE_WORDS[name]}
              {...(name === current && { 'aria-current': 'page' })}
            >
              <PageIcon page={name} />
              <span className="page-words">{PAGE_WORDS[name]}</span> <Count page={name} count={counts[name]} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ page, count }: { page: PageName; count: number | undefined }) {
  if (count === undefined || count === 0) return null;
  return <span className={page === 'requests' ? 'count waits' : 'count'}>{count}</span>;
}
