import type { CardDeath } from './death-card.ts'
import { drawDeath } from './death-image.ts'

/** Draws beside the event loop: the first picture of a process takes a quarter of a second, and others are playing. */
export const draw = async (death: CardDeath): Promise<Uint8Array> => await drawDeath(death)
