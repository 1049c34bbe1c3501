/** Numbers as words in sentences. */

export const pagesInWords = (count: number): string => `${count} ${count === 1 ? 'page' : 'pages'}`;

export function timeInWords(ms: number): string {
  const [count, unit] = ms >= 60_000 && ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
