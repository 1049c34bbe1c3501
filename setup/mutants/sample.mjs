/** An order that is the same for the same seed, so that the first of them are a fair sample. */

export function shuffled(all, seed) {
  // mulberry32: github.com/cprosche/mulberry32
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const keyed = all.map(each => ({ each, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ each }) => each);
}
