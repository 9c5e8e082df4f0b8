// What a test leaves behind goes in the reverse order of its making, also when the test fails.

const undone = new WeakMap();

export function afterwards(t, undo) {
  if (!undone.has(t)) {
    const steps = [];
    undone.set(t, steps);
    t.after(async () => {
      const problems = [];
      while (steps.length > 0) await Promise.resolve(steps.pop()()).catch((error) => problems.push(error));
      if (problems.length > 0) throw problems[0];
    });
  }
  undone.get(t).push(undo);
}
