import { z } from 'zod'

/** The fields with which a request proves which player it is from. */
const proofShape = {
  playerName: z.string('must be the name of a player').max(64).describe('Compared without case'),
  resumeToken: z
    .string('must be the resume token of the player')
    .max(128)
    .describe('The token that the game sent when the name was first used'),
}

/** The body of `POST /api/credits/redeem`. */
export const redeemOrder = z.object({
  ...proofShape,
  sku: z.string('must be a sku of GET /api/store').max(64).describe('Of GET /api/store'),
})

/** The body of `POST /api/store/frame`. */
export const frameOrder = z.object({ ...proofShape, frame: z.string('must be the name of a frame').max(64) })

/** The body of `POST /api/wall`. */
export const shoutOrder = z.object({
  ...proofShape,
  text: z
    .string('must be a line of text')
    .trim()
    .regex(/^[\x20-\x7e]{1,60}$/, 'must be 1 to 60 printable ASCII characters'),
})
