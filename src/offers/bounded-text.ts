import { z } from 'zod'
import { hasInk } from '../core/ink.ts'

/** Characters as people count them: code points, so that an emoji is one and not two. */
export const codePoints = (text: string): number => [...text].length

/** Text that is not blank; `max` counts code points, which is also what JSON Schema's maxLength means. */
export const boundedText = (max?: number) =>
  z
    .string()
    .refine(hasInk, 'must contain more than spaces and characters that nobody sees')
    .refine((text) => max === undefined || codePoints(text) <= max, `must be at most ${max} characters long`)
    .meta({ minLength: 1, ...(max !== undefined && { maxLength: max }) })
