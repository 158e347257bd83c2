import { z } from 'zod'
import { dateTime, uri } from './formats.ts'

/** What the site diagnostic delivers (spec: Site diagnostic response). */
export const diagnosisSchema = z.object({
  siteUrl: z.string().describe('As it was sent'),
  probedAt: dateTime,
  summary: z.looseObject({}),
  surfaces: z
    .array(z.looseObject({ path: z.string(), url: uri, status: z.int().nullable(), ok: z.boolean() }))
    .describe('The twelve paths in a fixed order'),
  findings: z.array(z.looseObject({ id: z.string(), severity: z.string(), title: z.string(), detail: z.string() })),
  recommendations: z.array(z.looseObject({ id: z.string(), title: z.string(), fix: z.string() })),
})
