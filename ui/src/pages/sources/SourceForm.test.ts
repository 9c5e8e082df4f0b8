import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aProgram, refusal } from '../../testing/program';
import SourceForm from './SourceForm.svelte';

const user = userEvent.setup();
const field = (name: string) => screen.getByTestId<HTMLInputElement>(`source-${name}`);

describe('the form for a source', () => {
  it('sends what was typed, without an alias when there is none', async () => {
    const calls = aProgram(() => ({ status: 201, body: { source_id: 's' } }));
    render(SourceForm);
    await user.type(field('name'), ' Shop ');
    await user.type(field('path'), '/data/shop.db{Enter}');
    expect(calls).toEqual([
      { method: 'POST', path: '/api/sources', body: { name: 'Shop', path: '/data/shop.db' } },
    ]);
    expect(field('name').value).toBe('');
  });

  it('shows what was wrong and what to do, and keeps what was typed', async () => {
    aProgram(() => refusal(422, 'The file is not a database.', 'Check the path.'));
    render(SourceForm);
    await user.type(field('name'), 'Shop');
    await user.type(field('alias'), 'Sales');
    await user.type(field('path'), '/data/shop.txt');
    await user.click(screen.getByTestId('source-submit'));
    const alert = screen.getByTestId('problem');
    expect(alert.textContent).toContain('The file is not a database.');
    expect(alert.textContent).toContain('Check the path.');
    expect(alert.closest('[role=alert]')).not.toBeNull();
    expect([field('name').value, field('alias').value, field('path').value]).toEqual([
      'Shop',
      'Sales',
      '/data/shop.txt',
    ]);
  });
});
