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

  it('sends a server with what was typed, and forgets its password', async () => {
    const calls = aProgram(() => ({ status: 201, body: { source_id: 's' } }));
    render(SourceForm);
    await user.click(screen.getByRole('radio', { name: 'PostgreSQL server' }));
    expect(screen.queryByTestId('source-path')).toBeNull();
    await user.type(screen.getByLabelText('Name'), 'Sales');
    await user.type(screen.getByLabelText('Host'), ' db.example ');
    await user.type(screen.getByLabelText(/^Port/), '5433');
    await user.type(screen.getByLabelText('Database'), 'shop');
    await user.type(screen.getByLabelText('User'), 'reader');
    await user.type(screen.getByLabelText(/^Password/), ' sesame ');
    await user.click(screen.getByLabelText(/^Never accept writes here/));
    await user.click(screen.getByTestId('source-submit'));
    expect(calls).toEqual([
      {
        method: 'POST',
        path: '/api/sources',
        body: {
          name: 'Sales',
          read_only: true,
          engine: 'postgres',
          host: 'db.example',
          port: 5433,
          database: 'shop',
          user: 'reader',
          password: ' sesame ',
        },
      },
    ]);
    expect(field('password').value).toBe('');
    expect(field('password').type).toBe('password');
    expect(document.activeElement).toBe(field('name'));
  });

  it('leaves port and password out when they are empty, and keeps what was typed on a refusal', async () => {
    const calls = aProgram(() => refusal(422, 'The server did not accept the account.', 'Check it.'));
    render(SourceForm);
    await user.click(screen.getByTestId('source-engine-postgres'));
    for (const name of ['name', 'host', 'database', 'user']) await user.type(field(name), name);
    await user.keyboard('{Enter}');
    expect(calls[0]?.body).toEqual({
      name: 'name',
      engine: 'postgres',
      host: 'host',
      database: 'database',
      user: 'user',
    });
    expect(screen.getByTestId('problem').textContent).toContain('did not accept');
    expect(field('host').value).toBe('host');
  });

  it.each([
    ['mysql', 'MySQL'],
    ['mariadb', 'MariaDB'],
  ])('adds a database on %s, with its port and the grants that its account needs', async (engine, title) => {
    const calls = aProgram();
    render(SourceForm);
    await user.click(screen.getByRole('radio', { name: `${title} server` }));
    expect(field('port').placeholder).toBe('3306');
    expect(field('alias').placeholder).toBe(`${title} source`);
    for (const name of ['name', 'host']) await user.type(field(name), name);
    await user.type(field('database'), 'sh`op');
    await user.type(field('user'), "o'hara");
    expect(screen.getByTestId('source-grants').textContent).toBe(
      "GRANT SELECT ON `sh``op`.* TO 'o''hara'@'%'; GRANT PROCESS ON *.* TO 'o''hara'@'%';",
    );
    await user.keyboard('{Enter}');
    expect(calls[0]?.body).toEqual({
      name: 'name',
      engine,
      host: 'host',
      database: 'sh`op',
      user: "o'hara",
    });
  });

  it('copies the grants by the keyboard, right after the account that they are for', async () => {
    aProgram();
    render(SourceForm);
    await user.click(screen.getByRole('radio', { name: 'MariaDB server' }));
    await user.type(field('database'), 'shop');
    await user.type(field('user'), 'agents');
    await user.tab();
    const copy = screen.getByRole('button', { name: 'Copy the grants' });
    expect(document.activeElement).toBe(copy);
    await user.keyboard('{Enter}');
    expect(await navigator.clipboard.readText()).toBe(
      "GRANT SELECT ON `shop`.* TO 'agents'@'%'; GRANT PROCESS ON *.* TO 'agents'@'%';",
    );
    expect(await screen.findByText('Copied the grants')).toBeTruthy();
    expect(field('user').value).toBe('agents');
    await user.click(screen.getByRole('radio', { name: 'PostgreSQL server' }));
    expect(screen.queryByTestId('source-grants')).toBeNull();
    expect(screen.queryByTestId('copy-grants')).toBeNull();
  });

  it('says where a grant needs no backslashes, of a name that has them on MySQL alone', async () => {
    aProgram();
    render(SourceForm);
    const help = () => document.getElementById('source-user-help')?.textContent ?? '';
    await user.click(screen.getByRole('radio', { name: 'MySQL server' }));
    await user.type(field('database'), 'shop');
    expect(help()).not.toContain('partial_revokes');
    await user.type(field('database'), '_1');
    expect(screen.getByTestId('source-grants').textContent).toContain('`shop\\_1`');
    expect(help()).toContain('partial_revokes = ON, remove their backslashes');
    await user.click(screen.getByRole('radio', { name: 'MariaDB server' }));
    expect(help()).not.toContain('partial_revokes');
  });

  it('is chosen between file and server by the keyboard alone', async () => {
    aProgram();
    render(SourceForm);
    screen.getByTestId('source-engine-postgres').focus();
    await user.keyboard(' ');
    expect(screen.getByTestId('source-host')).toBeTruthy();
    screen.getByTestId('source-engine-sqlite').focus();
    await user.keyboard(' ');
    expect(screen.getByTestId('source-path')).toBeTruthy();
  });
});
