/** Names of several files that are saved together. */

/** The same names, each once, also where upper and lower case are the same: `a.png`, `a-2.png`. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return names.map(name => {
    const dot = name.lastIndexOf('.');
    const [base, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let unique = name;
    for (let again = 2; used.has(unique.toLowerCase()); again++) unique = `${base}-${again}${extension}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}
