// Short sentences for a screen reader, read when it has a moment. Nothing is said twice.

class Announcer {
  text = $state('');

  say(text: string) {
    // The same words twice in a row are not a change, so a reader would stay silent.
    this.text = this.text === text ? `${text}\u00A0` : text;
  }
}

export const announcer = new Announcer();
