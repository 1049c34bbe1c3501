/** The soak, within a network of its own: `inside.js OPTIONS`. Prints its result as JSON, and what it does on standard error. */
import { soak, type SoakOptions } from './soak.js';

const options = JSON.parse(process.argv[2] ?? '{}') as SoakOptions;
console.log(JSON.stringify(await soak(options, line => console.error(line))));
