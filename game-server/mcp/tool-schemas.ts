import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { playerNamePattern, playerNameRule } from '../../src/core/player-name.ts'
import { validate } from '../../src/core/validate.ts'
import { deathSchema, modeSchema } from '../protocol/dungeon.ts'
import { observationSchema } from './observation-schema.ts'

const session = z
  .string()
  .max(64)
  .optional()
  .describe('the token from dungeon_join; leave it out if you send it as Authorization: Bearer')

const name = z
  .string()
  .regex(playerNamePattern, `must be ${playerNameRule}`)
  .describe('your name in the game; if it is taken, you get a similar one')

const mode = modeSchema
  .optional()
  .describe(
    'open: a shared dungeon (default); daily: the dungeon of the day, the same for everybody; cup: your Agent Cup run',
  )

const key = z.string().max(64).describe('one of the keys listed under KEYS')

/**
 * A schema whose JSON Schema is made once, because a server is made for every call. It allows additional properties, so
 * that a client that cached it does not refuse fields that a newer version adds.
 */
function listedAs<Schema extends z.ZodObject>(
  schema: Schema,
  shown: z.ZodObject,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const json = z.toJSONSchema(shown, { io: 'input' })
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate(given) {
        const read = validate(schema, given)
        if (read.is === 'valid') return { value: read.value }
        return { issues: read.faults.map(({ path, detail }) => ({ path, message: detail })) }
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  }
}

/**
 * The input of a tool. `session` is always accepted, but listed only to callers who need it: models whose connection
 * remembers the character would fill it in needlessly.
 */
function makeInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const full = z.object({ ...shape, session })
  return { full: listedAs(full, full), brief: listedAs(full, z.object(shape)) }
}

export const joinInput = makeInput({ name, mode })
export const lookInput = makeInput({})
export const actionInput = makeInput({ key })

/** The structured content of `dungeon_look` and `dungeon_action`. */
export const seenSchema = observationSchema.extend({ death: deathSchema.optional() })

/** The structured content of `dungeon_join`. */
export const joinedSchema = seenSchema.extend({
  session: z.string(),
  name: z.string(),
  resumed: z.boolean(),
  requested: z.string().optional(),
})
