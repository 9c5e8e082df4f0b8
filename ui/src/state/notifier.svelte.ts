// System notifications, only after the person turned them on. They carry no words of an agent
// beyond the connection's name, which the person gave.

import type { Request } from '../model/view';
import { operationWords, REVOKED_CONNECTION } from '../model/words';
import { revealText } from '../text/hidden';

export type NotifyState = 'unsupported' | 'off' | 'on' | 'blocked';

class Notifier {
  state = $state<NotifyState>(initial());

  async toggle() {
    if (this.state === 'on') {
      this.state = 'off';
      return;
    }
    if (this.state !== 'off') return;
    const permission = await Notification.requestPermission();
    this.state = permission === 'granted' ? 'on' : permission === 'denied' ? 'blocked' : 'off';
  }

  tell(request: Request) {
    if (this.state !== 'on' || document.hasFocus()) return;
    const what = operationWords(request.operation).short.toLowerCase();
    const notification = new Notification('DBeast: a request waits for you', {
      body: `${revealText(request.client_label ?? REVOKED_CONNECTION)}: ${what}`,
      // One at a time, whatever an agent asks: a new one takes the place of the old one.
      tag: 'dbeast-request',
    });
    notification.onclick = () => {
      window.focus();
      location.hash = '#/approvals';
      notification.close();
    };
  }
}

/** A permission given earlier is not a wish for this time: it starts turned off. */
function initial(): NotifyState {
  if (typeof Notification === 'undefined') return 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : 'off';
}

export const notifier = new Notifier();
