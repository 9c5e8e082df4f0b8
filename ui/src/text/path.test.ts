import { describe, expect, it } from 'vitest';
import { fileAndFolder } from './path';

describe('a path', () => {
  it('is a file and the way to it, on every system', () => {
    expect(fileAndFolder('/home/you/data/shop.db')).toEqual({
      folder: '/home/you/data/',
      file: 'shop.db',
    });
    expect(fileAndFolder('C:\\data\\shop.db')).toEqual({ folder: 'C:\\data\\', file: 'shop.db' });
    expect(fileAndFolder('/a\n/b.db')).toEqual({ folder: '/a\n/', file: 'b.db' });
  });

  it('without two parts stays as it is', () => {
    for (const path of [null, '', 'shop.db', '/data/']) expect(fileAndFolder(path)).toBe(null);
  });
});
