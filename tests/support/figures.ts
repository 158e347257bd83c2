const isDeep = process.env.TEST_FIGURES === 'deep'

/** What another engine is asked again takes as many answers from another program. */
const isAgain = process.env['TEST_ENGINE'] === 'postgres'

/** How often a promise is tried: the first figure in `npm test`, the second in `npm run test:deep`; less often again. */
export const figure = (usual: number, deep: number): number => Math.ceil((isDeep ? deep : usual) / (isAgain ? 10 : 1))

/** A generous limit for one test, in milliseconds: shared machines are slow. */
export const limitMs = (usual: number, deep: number): number => (isDeep ? deep : usual)

/** The seed of this run, printed on failure by fast-check; `SEED=… npm test` repeats it. */
export const seed = process.env.SEED ? { seed: Number(process.env.SEED) } : {}
