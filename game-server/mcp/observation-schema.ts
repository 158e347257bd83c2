import { z } from 'zod'
import type { Observation } from '../core/observe.ts'

const whole = z.int()
const text = z.string()

/** What a player sees. */
export const observationSchema = z.object({
  turn: whole,
  depth: whole,
  you: z.object({
    name: text,
    x: whole,
    y: whole,
    hp: whole,
    maxHp: whole,
    strength: whole,
    gold: whole,
    score: whole,
    alive: z.boolean(),
    hasAmulet: z.boolean(),
    ending: text,
    weapon: text,
    armor: text,
    pack: z.array(text),
    statuses: z.array(z.object({ name: text, turns: whole })),
  }),
  view: z.object({ x: whole, y: whole, rows: z.array(text) }),
  entities: z.array(
    z.object({ id: whole, g: text, name: text, x: whole, y: whole, hp: whole, dist: whole, dir: text, st: text }),
  ),
  items: z.array(
    z.object({ g: text, name: text, x: whole, y: whole, dir: text, isChoice: z.boolean().exactOptional() }),
  ),
  messages: z.array(text),
  keys: z.array(z.object({ key: text, does: text })),
}) satisfies z.ZodType<Observation>
