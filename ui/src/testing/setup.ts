import { cleanup } from '@testing-library/svelte';
import { afterEach, vi } from 'vitest';
import { announcer } from '../state/announcer.svelte';
import { decisions } from '../state/decisions.svelte';
import { fresh } from '../state/fresh.svelte';

// What lives outside the components starts anew for every test.
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  announcer.text = '';
  decisions.clear();
  fresh.client = null;
  location.hash = '';
});
