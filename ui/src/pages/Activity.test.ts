import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { anEntry, aView, NOW } from '../testing/fixtures';
import Activity from './Activity.svelte';

describe('the activity page', () => {
  const view = aView({
    activity: [
      anEntry({ entry: 1 }),
      anEntry({
        entry: 2,
        event: 'request_denied',
        status: 'denied',
        source_alias: 'Payroll',
        sql: 'SELECT \u200B"<b>x</b>"',
        detail: '<img src=x>',
      }),
    ],
  });

  it('lists the newest first and filters', async () => {
    const user = userEvent.setup();
    render(Activity, { view, nowMs: NOW });
    const rows = () => screen.getAllByTestId('activity-row').map((row) => row.dataset.event);
    expect(rows()).toEqual(['request_denied', 'session_began']);
    await user.type(screen.getByTestId('activity-filter'), 'session');
    expect(rows()).toEqual(['session_began']);
    await user.type(screen.getByTestId('activity-filter'), ' nothing');
    expect(screen.queryAllByTestId('activity-row')).toEqual([]);
    expect(document.body.textContent).toContain('No event has all of these words.');
  });

  it('shows SQL and details as text, hidden characters marked', async () => {
    const user = userEvent.setup();
    render(Activity, { view, nowMs: NOW });
    await user.click(screen.getByText(/^SQL/));
    const row = screen.getAllByTestId('activity-row')[0]!;
    expect(row.textContent).toContain('SELECT ⟦U+200B⟧"<b>x</b>"');
    expect(row.textContent).toContain('<img src=x>');
    expect(row.querySelector('img, pre b')).toBeNull();
  });
});
