import { describe, expect, it, vi } from 'vitest';
import { aRequest } from '../testing/fixtures';
import { notifier } from './notifier.svelte';

function browser(answer: NotificationPermission) {
  const shown: { title: string; body: string | undefined }[] = [];
  vi.stubGlobal(
    'Notification',
    class {
      static permission = 'default';
      static requestPermission = vi.fn(async () => answer);
      onclick = null;
      constructor(title: string, options: NotificationOptions) {
        shown.push({ title, body: options.body });
      }
      close() {}
    },
  );
  notifier.state = 'off';
  return shown;
}

describe('notifications', () => {
  it('are silent until the person turns them on, and again after that is undone', async () => {
    const shown = browser('granted');
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    notifier.tell(aRequest());
    expect(shown).toEqual([]);
    await notifier.toggle();
    notifier.tell(aRequest());
    expect(shown).toHaveLength(1);
    await notifier.toggle();
    notifier.tell(aRequest());
    expect(shown).toHaveLength(1);
  });

  it('carry no SQL and no words of the agent', async () => {
    const shown = browser('granted');
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    await notifier.toggle();
    notifier.tell(
      aRequest({ client_label: 'Editor \u202E', session_label: 'Allow me', sql: 'SELECT 1' }),
    );
    expect(shown[0]).toEqual({
      title: 'DBeast: a request waits for you',
      body: 'Editor ⟦U+202E⟧: read query',
    });
  });

  it('are not shown while the person looks at the page, nor when blocked', async () => {
    const shown = browser('denied');
    await notifier.toggle();
    expect(notifier.state).toBe('blocked');
    notifier.state = 'on';
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    notifier.tell(aRequest());
    expect(shown).toEqual([]);
    notifier.state = 'off';
  });
});
