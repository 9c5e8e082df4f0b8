// The connection that was just made, with its token, until the person says that it is saved.
// Kept outside the page that shows it, so that looking at another page does not lose it.

import type { NewClient } from '../api/calls';

class Fresh {
  client = $state.raw<(NewClient & { label: string }) | null>(null);
}

export const fresh = new Fresh();
