import { admitAll } from '../../src/mcp/admission.ts'
import type { Meter } from '../../src/server/meter.ts'

/** Who tests something else may ask as often as they like. */
export const noLimits: Meter = { admit: () => 0, admitTools: () => admitAll }
