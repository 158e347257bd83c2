import type { CardDeath } from './death-card.ts'
import { drawDeath } from './death-image.ts'

/** Draws in a worker process: the first picture of a process would block the event loop for a quarter of a second. */
export const draw = async (death: CardDeath): Promise<Uint8Array> => await drawDeath(death)
