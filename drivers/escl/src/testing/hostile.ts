/** Documents of a hostile device. */

const LAUGHS = 9;

/** Nine entities, each of which is ten of the one before; the last is 3 GB. `outside` asks another host. */
export function entityBomb(root: string, outside: string): string {
  const entities = Array.from({ length: LAUGHS }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!DOCTYPE ${root} [<!ENTITY l0 "lol">${entities.join('')}<!ENTITY outside SYSTEM "${outside}/entity">]>`,
    `<scan:${root} xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03" xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm">`,
    `<pwg:MakeAndModel>&l${LAUGHS};&outside;</pwg:MakeAndModel><pwg:State>&l${LAUGHS};</pwg:State></scan:${root}>`,
  ].join('\n');
}

export const ENDLESS_BYTES = 100 * 1024 * 1024;

/** The given bytes, then 100 MB of letters in chunks of 64 KB. */
export function* endless(beginning: Uint8Array): Generator<Uint8Array> {
  yield beginning;
  const piece = Buffer.alloc(64 * 1024, 'a');
  for (let sent = 0; sent < ENDLESS_BYTES; sent += piece.length) yield piece;
}

export const webPage = '<!DOCTYPE html><html><head><title>Log in</title></head><body><p>Not here.</body></html>\n';
