/**
 * Keeps the doors that only our own tests use out of a published package: before `npm pack`, `hide` takes every export
 * whose file is not packed out of package.json in the current folder; `show` afterwards puts package.json back.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const manifest = 'package.json';
/** npm never packs a file of this ending. */
const kept = 'package.json.orig';
const forTests = /[.]test[.]|[/]testing[/]/;

const commands = {
  hide() {
    // What an interrupted pack left behind.
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
