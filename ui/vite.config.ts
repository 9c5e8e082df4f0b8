import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Everything the page needs is a file of its own under /assets, so that the program can serve it
// with a policy that allows no inline script, no inline style and no data address.
export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  base: '/',
  // Under test the browser build of Svelte is needed, not the one for rendering on a server.
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: true,
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    pool: 'threads',
    isolate: false,
    unstubGlobals: true,
  },
}));
