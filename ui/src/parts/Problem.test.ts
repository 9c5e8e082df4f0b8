import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { asFailure, readFailure } from '../api/failure';
import Problem from './Problem.svelte';

describe('a problem', () => {
  it('shows what stands between backticks as code, and everything else as it is', () => {
    const failure = {
      status: 400,
      code: 'x',
      message: '`path` must be <b>absolute</b>.',
      hint: 'A lone ` stays.',
    };
    render(Problem, { failure });
    const problem = screen.getByTestId('problem');
    expect(problem.textContent.replace(/\s+/g, ' ')).toBe(
      'path must be <b>absolute</b>. A lone ` stays.',
    );
    expect(problem.querySelector('code')?.textContent).toBe('path');
    expect(problem.querySelector('b')).toBeNull();
  });

  it('has words for an answer without the agreed body, and for no answer', async () => {
    const odd = await readFailure(new Response('<html>', { status: 502 }));
    expect(odd.message).toContain('502');
    expect(odd.hint).not.toBe('');
    expect(asFailure(new TypeError('network')).message).toBe('DBeast did not answer.');
  });
});
