/** The laws about words in the code and about the shape of a file. */
import { breaches, type Law } from './law.js';
import { isTest, roomOf } from './rooms.js';

/** A file that has more lines than this asks why. */
const longest = 250;

const inServer = (path: string) => path.startsWith('server/src/') && !isTest(path);

export const wordLaws: readonly Law[] = [
  {
    // The client module runs in a browser, where it cannot import the service's own file.
    sentence: 'the numbers of HTTP statuses are in server/src/http/errors.ts only, and at a client\'s end in server/src/web/client/errors.ts',
    breaches: breaches.ofWords(
      path => inServer(path) && !/^server\/src\/(?:http|web\/client)\/errors\.ts$/.test(path),
      // Numbers that mean a status wherever they stand; others (200 is a resolution, too) where a status is given.
      /\b(?:20[1-6]|30[1-8]|4(?:0[1-9]|1\d|2\d|31|51)|50[1-5])\b(?!\.\d)|(?:\b(?:code|status|writeHead)\(|\bstatus(?:Code)?\b\s*(?::|={1,3}|!==?|[<>]=?))\s*[1-5]\d\d\b|[{,]\s*[1-5]\d\d\s*:/g,
    ),
  },
  {
    // A channel is a named pipe on Windows and a socket elsewhere, at either end.
    sentence: 'the operating system is asked for in the server\'s configuration, in core\'s loader and for the local channel only',
    breaches: breaches.ofWords(
      path => roomOf(path) !== 'scripts' && !isTest(path) && !/^(?:server\/src\/config\/|core\/src\/registry\/|drivers\/kit\/src\/platform\.ts$)/.test(path),
      /\bprocess\s*\.\s*platform\b|\b(?:os\.)?platform\(\)|\bprocess\s*\[|\{[^{}]*\bplatform\b[^{}]*\}\s*=\s*process\b/g,
    ),
  },
  {
    sentence: 'the server names no plugin or driver; its default configuration does',
    breaches: breaches.ofWords(inServer, /@platen\/(?!core\b|server\b|driver-kit\b|driver-remote\b)[a-z][\w-]*/g, source => source.uncommented),
  },
  {
    sentence: 'a file opens with a sentence, /** … */, that says its role',
    breaches({ lines, path }) {
      // A test's role is its name: the file that it stands beside.
      if (!/\.(?:ts|mjs|cjs)$/.test(path) || path.endsWith('.test.ts')) return [];
      const first = lines.findIndex(line => line.trim() !== '' && !line.startsWith('#!'));
      return /^\/\*\*\s+[^*\s]/.test(`${lines[first] ?? ''} ${lines[first + 1]?.replace(/^ \*(?!\/)/, '') ?? ''}`) ? [] : [first + 1];
    },
  },
  {
    sentence: `a file has at most ${longest} lines: past that, it is two`,
    breaches: ({ lines }) => (lines.length > longest ? [longest + 1] : []),
  },
];
