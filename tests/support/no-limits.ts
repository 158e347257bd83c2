import { unlimited } from '../../src/http/caller-limits.ts'
import type { Limiter } from '../../src/http/limiter.ts'

/** Who tests something else may ask as often as they like. */
export const noLimits: Limiter = { admit: () => 0, forTools: () => unlimited }
