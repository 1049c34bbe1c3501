/** Asks an installed service. Arguments: method, path, body as JSON. Prints the answer's body. */
import { request } from '../topology/client.js';

const [, , method = 'GET', path = '/', body] = process.argv;
const options = body === undefined ? {} : { body: JSON.parse(body) as object };
console.log((await request(53052, method, path, options)).text);
