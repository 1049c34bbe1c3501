/** A source file as the laws read it: what is code, what is text, and what it imports. */

export interface Source {
  /** Relative to the clone, with slashes. */
  readonly path: string;
  readonly lines: readonly string[];
  /** The text with comments and the insides of strings blanked; every character stays in its place. */
  readonly code: string;
  /** The text with comments blanked. */
  readonly uncommented: string;
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

export function readSource(path: string, text: string): Source {
  const { code, uncommented } = blank(text);
  return { path, lines: text.replace(/\n$/, '').split('\n'), code, uncommented, imports: importsOf(code, text) };
}

/** @returns the 1-based line of a place in the text */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Static, dynamic and re-exporting imports, `require` and `import.meta.resolve`, where the specifier is a plain string. */
const importing = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire(?:\.resolve)?\s*\(|\bimport\.meta\.resolve\s*\()\s*(['"`])( *)\1/g;

function importsOf(code: string, text: string): Import[] {
  return [...code.matchAll(importing)].map(match => {
    const end = match.index + match[0].length - 1;
    return { specifier: text.slice(end - (match[2] ?? '').length, end), line: lineAt(text, match.index) };
  });
}

/** A word or sign after which a slash begins a regular expression. */
const beforeRegex = /(?:[([{,;=:?!&|+\-*%<>~^]|^|\b(?:return|typeof|case|in|of|do|else|void|await|yield))\s*$/;

/** Comments, strings, templates and regular expressions; what a template computes is code again. */
function blank(text: string): { code: string; uncommented: string } {
  const code = [...text.split('')];
  const uncommented = [...code];
  /** One entry a template that is open around this place: how many braces are open in what it computes. */
  const templates: number[] = [];
  const erase = (from: number, to: number, comment: boolean) => {
    for (let i = from; i < to; i++) {
      if (text[i] === '\n') continue;
      code[i] = ' ';
      if (comment) uncommented[i] = ' ';
    }
  };
  let at = 0;
  const templateFrom = (from: number) => {
    const end = endOf(text, from, /`|\$\{/g);
    erase(from, end.at, false);
    if (end.found === '${') templates.push(0);
    at = end.at + end.found.length;
  };
  while (at < text.length) {
    const rest = text.slice(at, at + 2);
    const sign = rest[0] ?? '';
    if (rest === '//' || rest === '/*') {
      const end = rest === '//' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2) + 2;
      const stop = end < at + 2 ? text.length : end;
      erase(at, stop, true);
      at = stop;
    } else if (sign === "'" || sign === '"') {
      const end = endOf(text, at + 1, sign === "'" ? /['\n]/g : /["\n]/g).at;
      erase(at + 1, end, false);
      at = end + 1;
    } else if (sign === '`') {
      templateFrom(at + 1);
    } else if (sign === '/' && beforeRegex.test(code.slice(Math.max(0, at - 40), at).join(''))) {
      const end = endOf(text, at + 1, /\[(?:\\.|[^\]\\\n])*\]|\/|\n/g, found => !found.startsWith('[')).at;
      erase(at + 1, end, false);
      at = end + 1;
    } else {
      const open = templates.at(-1);
      if (open !== undefined && sign === '{') templates[templates.length - 1] = open + 1;
      if (open !== undefined && sign === '}') {
        if (open === 0) {
          templates.pop();
          templateFrom(at + 1);
          continue;
        }
        templates[templates.length - 1] = open - 1;
      }
      at++;
    }
  }
  return { code: code.join(''), uncommented: uncommented.join('') };
}

/** The first match that no backslash stands before and that ends what was begun; else the text's end. */
function endOf(text: string, from: number, sign: RegExp, ends: (found: string) => boolean = () => true): { at: number; found: string } {
  const either = new RegExp(`\\\\[^]|${sign.source}`, 'g');
  either.lastIndex = from;
  for (let match = either.exec(text); match; match = either.exec(text)) {
    if (!match[0].startsWith('\\') && ends(match[0])) return { at: match.index, found: match[0] };
  }
  return { at: text.length, found: '' };
}
