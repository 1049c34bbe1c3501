#!/usr/bin/env node
/** Starts the command line. CommonJS, so that the size of libuv's thread pool is set before anything makes the pool. */
'use strict';
const { availableParallelism } = require('node:os');
const { setFlagsFromString } = require('node:v8');
const { tunables } = require('./glibc.cjs');

// Encoders work on this pool's threads: one for each core, and two for files.
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism() + 2));

// V8 counts the 26 MB of each page to its own heap of 22 MB, and would mark and sweep all of that for every second page:
// a quarter of a JPEG page's processor time. So the two may grow to four times the heap before it does.
setFlagsFromString('--heap-growing-percent=300');

// A process that somebody forked has a channel, which another program in its place would lose.
const { env, execPath, execArgv, argv } = process;
// oxlint-disable-next-line no-restricted-properties -- before anything is loaded
if (process.platform === 'linux' && env.GLIBC_TUNABLES === undefined && process.execve && !process.channel)
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, GLIBC_TUNABLES: tunables });

import('#main').then(({ main }) => main());
