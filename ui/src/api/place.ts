// Where this page lives. The browser sends its cookie only below the place that the one-time link led
// to (docs/interface.md, "Getting in"), so every call is made there.

const place = /^\/at\/[^/]+/.exec(location.pathname)?.[0] ?? '';

export const below = (path: string) => place + path;
