/** Tables of a README, to be held against the code that they are about. */

/** The cells of each row that begins with code, under a heading of the second level; without their back quotes. */
export function tableOf(readme: string, heading: string): string[][] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter(line => line.startsWith('| `'));
  return rows.map(row =>
    row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim().replaceAll('`', '')),
  );
}

/** The first two columns of such a table: a word, and what stands for it. */
export function pairsOf(readme: string, heading: string): Record<string, string> {
  return Object.fromEntries(tableOf(readme, heading).map(([word = '', meaning = '']) => [word, meaning]));
}

/** As a README's table of options has them: the default, or `none`, also of an empty list. */
export function defaultsOf(schema: { readonly properties: Readonly<Record<string, object>> }): Record<string, string> {
  const word = (option: object): string => ('default' in option && String(option.default)) || 'none';
  return Object.fromEntries(Object.entries(schema.properties).map(([name, option]) => [name, word(option)]));
}
