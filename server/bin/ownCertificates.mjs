/**
 * Which of the certificates on standard input are Platen's own, for the scripts of the installers:
 * `node ownCertificates.mjs FOLDER` writes them to FOLDER/platen.crt, platen-2.crt and so on, and exits with 1 if there
 * is none.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownCertificatesIn } from '../dist/machine/tls/ownShape.js';

const [folder] = process.argv.slice(2);
const own = ownCertificatesIn(readFileSync(0, 'utf8'));
for (const [at, pem] of own.entries()) writeFileSync(join(folder, `platen${at > 0 ? `-${at + 1}` : ''}.crt`), pem);
process.exitCode = own.length > 0 ? 0 : 1;
