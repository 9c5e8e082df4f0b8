// Paths as a person reads them.

export type FileAndFolder = { file: string; folder: string };

/** The last part of a path and the way to it; null where there are no two parts. */
export function fileAndFolder(path: string | null): FileAndFolder | null {
  const parts = /^(.*[/\\])([^/\\]+)$/s.exec(path ?? '');
  return parts ? { folder: parts[1]!, file: parts[2]! } : null;
}
