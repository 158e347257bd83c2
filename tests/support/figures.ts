const isDeep = process.env.TEST_FIGURES === 'deep'

/** On a second engine each attempt goes to another program and takes longer, so only a part of many is repeated. */
const isAgain = process.env['TEST_ENGINE'] === 'postgres'
const few = 10

/** How often a property is tried: `usual` in `npm test`, `deep` in `npm run test:deep`, fewer on the second engine. */
export function figure(usual: number, deep: number): number {
  const count = isDeep ? deep : usual
  return isAgain ? Math.min(count, Math.max(few, Math.ceil(count / 40))) : count
}

/** The same for tests that run on one engine only, and are not repeated on a second one. */
export const ownFigure = (usual: number, deep: number): number => (isDeep ? deep : usual)

/** A generous time limit for one test, in milliseconds, because shared machines are slow. */
export const limitMs = (usual: number, deep: number): number => (isDeep ? deep : usual)

/** The seed of this run, printed on failure by fast-check; `SEED=… npm test` repeats it. */
export const seed = process.env.SEED ? { seed: Number(process.env.SEED) } : {}
