#!/usr/bin/env node
/** Starts the command line. CommonJS, so that the size of libuv's thread pool is set before anything makes the pool. */
'use strict';
const { availableParallelism } = require('node:os');

// Encoders work on this pool's threads: one for each core, and two for files.
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism() + 2));
import('../dist/main.js').then(({ main }) => main());
