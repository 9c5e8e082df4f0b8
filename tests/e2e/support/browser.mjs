// Headless Chromium, quiet on the network: nothing of the browser's own is fetched.

import { chromium } from 'playwright-core';
import { CHROMIUM } from './paths.mjs';

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
