import { z } from 'zod'

/** Characters as people count them: code points, so that an emoji is one and not two. */
export const codePoints = (text: string): number => [...text].length

/** Whether there is anything to read aloud or to picture: a letter, a digit, a sign, not only spaces and controls. */
export const hasVisibleText = (text: string): boolean => /[^\p{C}\p{Z}\s]/u.test(text)

/** Text that is not blank; `max` counts code points, which is also what JSON Schema's maxLength means. */
export const boundedText = (max?: number) =>
  z
    .string()
    .refine(hasVisibleText, 'must contain more than spaces and control characters')
    .refine((text) => max === undefined || codePoints(text) <= max, `must be at most ${max} characters long`)
    .meta({ minLength: 1, ...(max !== undefined && { maxLength: max }) })
