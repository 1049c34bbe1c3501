/** What a rehearsal did: a row for each step, with its time and what came out. */

/** @returns {{ step<T>(title: string, work: () => Promise<T>, say?: (result: T) => string): Promise<T>, table(): string }} */
export function createReport() {
  const rows = [];
  return {
    /** The row is there also if the step fails. */
    async step(title, work, say = () => '') {
      const began = Date.now();
      const row = { title, seconds: 0, result: 'failed' };
      rows.push(row);
      try {
        const result = await work();
        row.result = say(result);
        return result;
      } finally {
        row.seconds = (Date.now() - began) / 1000;
      }
    },

    table() {
      const width = Math.max(...rows.map(({ title }) => title.length));
      return rows
        .map(({ title, seconds, result }) => `${title.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${result}`)
        .map(line => line.trimEnd())
        .join('\n');
    },
  };
}
