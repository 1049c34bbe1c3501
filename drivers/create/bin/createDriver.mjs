#!/usr/bin/env node
/** `npm create @platen/driver NAME`. A file of its own: npm links it before the TypeScript is built. */
import { main } from '../dist/main.js';

process.exitCode = await main(process.argv.slice(2));
