// Light or dark: the system's choice until the person makes one. Kept in memory only.

export type Theme = 'system' | 'light' | 'dark';

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

class ThemeChoice {
  theme = $state<Theme>('system');

  turn() {
    this.theme = NEXT[this.theme];
    document.documentElement.dataset.theme = this.theme;
  }
}

export const themeChoice = new ThemeChoice();
