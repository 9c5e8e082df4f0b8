// What a call that did not succeed tells the person: what was wrong and what to do next.

export type Failure = { status: number; code: string; message: string; hint: string };

/** Nothing was heard from the program. */
export const UNREACHABLE: Failure = {
  status: 0,
  code: 'unreachable',
  message: 'DBeast did not answer.',
  hint: 'Check that it still runs in the terminal, then try again.',
};

export class CallFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
    this.name = 'CallFailed';
  }
}

/** Any thrown thing as a failure that can be shown. */
export function asFailure(thrown: unknown): Failure {
  return thrown instanceof CallFailed ? thrown.failure : UNREACHABLE;
}

/** The failure in an answer, also when its body is not the one that was agreed. */
export async function readFailure(answer: Response): Promise<Failure> {
  const plain: Failure = {
    status: answer.status,
    code: 'unexpected',
    message: `DBeast answered with status ${answer.status}.`,
    hint: 'Nothing is known to have changed. Reload the page and try again.',
  };
  try {
    const body = (await answer.json()) as { error?: Partial<Failure> };
    return { ...plain, hint: '', ...body.error, status: answer.status };
  } catch {
    return plain;
  }
}
