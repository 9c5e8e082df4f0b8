// Which page is shown. The address holds it (`#/sources`), so that back and reload work.

export const PAGES = ['approvals', 'sources', 'connections', 'sharing', 'activity'] as const;
export type Page = (typeof PAGES)[number];

export const PAGE_NAMES: Record<Page, string> = {
  approvals: 'Approvals',
  sources: 'Sources',
  connections: 'Connections',
  sharing: 'Sharing',
  activity: 'Activity',
};

export function pageOf(hash: string): Page {
  const name = hash.replace(/^#\/?/, '');
  return PAGES.find((page) => page === name) ?? 'approvals';
}

class Route {
  page = $state<Page>(pageOf(location.hash));

  start(): () => void {
    const follow = () => {
      this.page = pageOf(location.hash);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }
}

export const route = new Route();
