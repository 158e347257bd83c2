import { z } from 'zod'
import { hasInk } from '../core/ink.ts'

/** The length of a text in code points, which JSON Schema counts too: most emoji are one and not two. */
export const codePoints = (text: string): number => [...text].length

/** A schema for text that is not blank. `max` counts code points, as JSON Schema's `maxLength` does. */
export const boundedText = (max?: number) =>
  z
    .string()
    .refine(hasInk, 'must contain more than spaces and characters that nobody sees')
    .refine((text) => max === undefined || codePoints(text) <= max, `must be at most ${max} characters long`)
    .meta({ minLength: 1, ...(max !== undefined && { maxLength: max }) })
