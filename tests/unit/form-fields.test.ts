import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import imageGenerate from '../../functions/image-generate/offer.ts'
import llmsPack from '../../functions/llms-pack/offer.ts'
import narrate from '../../functions/narrate/offer.ts'
import { toFormFields } from '../../src/offers/form-fields.ts'

const fieldsOf = (offer: Parameters<typeof toFormFields>[0]) =>
  toFormFields(offer).map(({ name, label, kind, isRequired, value }) => [name, label, kind, isRequired, value])

describe('the form of a product', () => {
  it('has a text field with one value per line for a list, and numbers with their bounds', () => {
    expect(fieldsOf(llmsPack)).toEqual([
      ['urls', 'URLs', 'list', true, 'https://example.com/\nhttps://example.org/'],
      ['maxCharsPerPage', 'Max chars per page', 'number', false, '20000'],
    ])
    const [, characters] = toFormFields(llmsPack)
    expect(characters).toMatchObject({ min: 1000, max: 50_000, step: 1, hint: 'Characters kept of each page' })
  })

  it('offers the allowed values, filled in with the example', () => {
    const style = toFormFields(imageGenerate).find(({ name }) => name === 'style')
    expect(style).toMatchObject({ kind: 'choice', value: 'editorial-minimal' })
    expect(style?.options).toEqual(['editorial-minimal', 'photographic', 'illustration'])
  })

  it('uses the variant of an input that people can fill in, and omits fields that they cannot', () => {
    const fields = fieldsOf(narrate)
    expect(fields.map(([name, , kind, isRequired]) => [name, kind, isRequired])).toEqual([
      ['text', 'long', true],
      ['voiceId', 'text', false],
      ['speed', 'number', false],
      ['model', 'choice', false],
      ['captions', 'switch', false],
    ])
    expect(fields[1]?.[1]).toBe('Voice ID')
  })

  it('has checkboxes, and no field for a constant', () => {
    const input = z.object({ loud: z.boolean().default(true), inspect: z.enum(['1']).optional() })
    expect(fieldsOf({ input, example: {} })).toEqual([['loud', 'Loud', 'switch', false, 'true']])
  })
})
