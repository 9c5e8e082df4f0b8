import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import SqlBox from './SqlBox.svelte';

/** The DOM of the tests has no layout: gives the box the heights that a browser would. */
async function scroll(scrollHeight: number, clientHeight: number, scrollTop: number) {
  const box = screen.getByRole('region', { name: 'Statement text' });
  Object.defineProperties(box, {
    scrollHeight: { value: scrollHeight, configurable: true },
    clientHeight: { value: clientHeight, configurable: true },
    scrollTop: { value: scrollTop, configurable: true },
  });
  await fireEvent.scroll(box);
  return screen.getByTestId('sql-hidden-lines').textContent.replace(/\s+/g, ' ').trim();
}

describe('the box of the statement', () => {
  it('counts the lines out of sight above and below', async () => {
    render(SqlBox, { sql: 'SELECT 1\n'.repeat(100) });
    expect(await scroll(2000, 200, 0)).toBe('Out of sight: 90 lines below. Scroll to read.');
    expect(await scroll(2000, 200, 400)).toBe(
      'Out of sight: 20 lines above, 70 lines below. Scroll to read.',
    );
    expect(await scroll(2000, 200, 1800)).toBe('Out of sight: 90 lines above. Scroll to read.');
    expect(await scroll(200, 200, 0)).toBe('All of it is in sight');
  });

  it('can be reached and scrolled by keyboard', () => {
    render(SqlBox, { sql: 'SELECT 1' });
    expect(screen.getByRole('region', { name: 'Statement text' }).tabIndex).toBe(0);
  });
});
