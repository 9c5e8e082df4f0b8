// A keychain of the test's own: GNOME's, unlocked, on a session bus that nobody else sees.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { mkdir } from 'node:fs/promises';
import { afterwards } from './cleanup.mjs';
import { Child } from './process.mjs';
import { folder } from './program.mjs';

const SERVICE = 'org.freedesktop.secrets';
const PAUSE_MS = 20;
const TRIES_MAX = 500;

/** The environment in which programs find it. */
export async function keychain(t) {
  const home = await folder(t);
  const env = { HOME: home, XDG_RUNTIME_DIR: path.join(home, 'run'), XDG_DATA_HOME: path.join(home, 'data') };
  await mkdir(env.XDG_RUNTIME_DIR, { mode: 0o700 });
  const bus = new Child('dbus-daemon', ['--session', '--nofork', '--print-address=1'], { env });
  afterwards(t, () => bus.stop());
  env.DBUS_SESSION_BUS_ADDRESS = await bus.line();
  const args = ['--unlock', '--foreground', '--components=secrets'];
  const daemon = new Child('gnome-keyring-daemon', args, { env, input: 'pipe' });
  afterwards(t, () => daemon.stop());
  daemon.finish('a password\n');
  await isServed(env);
  return env;
}

/** The bus tells nobody that a name has come who is not on it, so it is asked. */
async function isServed(env) {
  const question = ['--session', '--print-reply=literal', '--dest=org.freedesktop.DBus'];
  const ask = [...question, '/org/freedesktop/DBus', 'org.freedesktop.DBus.NameHasOwner', `string:${SERVICE}`];
  for (let i = 0; i < TRIES_MAX; i += 1) {
    const { stdout } = await promisify(execFile)('dbus-send', ask, { env: { ...process.env, ...env } });
    if (stdout.includes('true')) return;
    await after(PAUSE_MS);
  }
  throw new Error('the keychain did not come up');
}
