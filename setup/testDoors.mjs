/**
 * Keeps exports that only Platen's tests use out of a published package: before `npm pack`, `hide` removes every export
 * whose file is not packed from package.json in the current folder; afterwards `show` restores package.json.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const manifest = 'package.json';
/** npm never packs a file with this extension. */
const kept = 'package.json.orig';
const forTests = /[.]test[.]|[/]testing[/]/;

const commands = {
  hide() {
    // Left by an interrupted pack.
    commands.show();
    copyFileSync(manifest, kept);
    const {
      scripts: { prepack: _, postpack: __, ...scripts },
      ...rest
    } = JSON.parse(readFileSync(manifest, 'utf8'));
    const exports = Object.entries(rest.exports).filter(([, door]) => !forTests.test(JSON.stringify(door)));
    writeFileSync(manifest, `${JSON.stringify({ ...rest, scripts, exports: Object.fromEntries(exports) }, null, 2)}\n`);
  },

  show() {
    if (existsSync(kept)) renameSync(kept, manifest);
  },
};

commands[process.argv[2]]();
