import { unlimited } from '../../src/http/caller-limits.ts'
import type { Limiter } from '../../src/http/limiter.ts'

/** A limiter without limits, for tests of something else. */
export const noLimits: Limiter = { admit: () => 0, forTools: () => unlimited }
