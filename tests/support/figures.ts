const isDeep = process.env.TEST_FIGURES === 'deep'

/** What another engine is asked again takes as many answers from another program: of much, a small part is tried. */
const isAgain = process.env['TEST_ENGINE'] === 'postgres'
const few = 10

/** How often a promise is tried: the first figure in `npm test`, the second in `npm run test:deep`; less often again. */
export function figure(usual: number, deep: number): number {
  const count = isDeep ? deep : usual
  return isAgain ? Math.min(count, Math.max(few, Math.ceil(count / 40))) : count
}

/** The same of what is tried on one engine alone, and so is not tried again. */
export const ownFigure = (usual: number, deep: number): number => (isDeep ? deep : usual)

/** A generous limit for one test, in milliseconds: shared machines are slow. */
export const limitMs = (usual: number, deep: number): number => (isDeep ? deep : usual)

/** The seed of this run, printed on failure by fast-check; `SEED=… npm test` repeats it. */
export const seed = process.env.SEED ? { seed: Number(process.env.SEED) } : {}
