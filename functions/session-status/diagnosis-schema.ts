import { z } from 'zod'
import { dateTime, uri } from '../../src/core/formats.ts'

const orNull = z.boolean().nullable()

/** What the site diagnostic delivers (spec: Site diagnostic response). */
export const diagnosisSchema = z.object({
  siteUrl: z.string().describe('As it was sent'),
  probedAt: dateTime,
  summary: z.looseObject({
    text: z.string(),
    reachable: z.int().describe('Paths that answered, whatever they said'),
    ok: z.int().describe('Paths that are as they should be'),
    score: z.int().min(0).max(100),
    areas: z
      .array(z.looseObject({ area: z.string(), points: z.int(), of: z.int() }))
      .describe('Where the score is from'),
    limit: z.string().nullable().describe('Why the score is lower than its points'),
    level: z.int().min(0).max(5).describe('How far an agent gets'),
    levelName: z.string(),
    cms: z.looseObject({ detected: z.boolean(), product: z.string().nullable(), confidence: z.string() }),
    session: z
      .looseObject({
        adminExposed: orNull,
        adminRequiresLogin: orNull,
        mcpRequiresAuth: orNull,
        protectedResourceMetadata: z.boolean(),
      })
      .describe('What opens without a session; null where that cannot be told from outside'),
  }),
  surfaces: z
    .array(
      z.looseObject({
        path: z.string(),
        url: uri,
        status: z.int().nullable().describe('null: there was no answer'),
        ok: z.boolean().describe('It is as it should be; a closed door, or none, is as it should be'),
        contentType: z.string().nullable(),
        bytes: z.int(),
        durationMs: z.int(),
        redirectedTo: z.string().nullable(),
        kind: z.string().nullable(),
        note: z.string(),
        error: z.string().nullable(),
      }),
    )
    .describe('The twelve paths in a fixed order'),
  findings: z
    .array(
      z.looseObject({
        id: z.string(),
        severity: z.enum(['info', 'low', 'medium', 'high']),
        surface: z.string(),
        title: z.string(),
        detail: z.string(),
        evidence: z.looseObject({
          request: z.string(),
          status: z.int().nullable(),
          headers: z.record(z.string(), z.string()),
          bodyPreview: z.string().describe('At most 200 printable characters'),
        }),
      }),
    )
    .describe('What is wrong, worst first'),
  recommendations: z
    .array(
      z.looseObject({
        id: z.string(),
        priority: z.int().min(1).describe('1 comes first'),
        title: z.string(),
        file: z.string().describe('What to change, such as robots.txt or the page template'),
        fix: z.string(),
        findings: z.array(z.string()).describe('Ids of the findings that it mends'),
        specUrls: z.array(z.string()),
        skillUrl: uri.optional().describe('A skill that goes into it'),
      }),
    )
    .describe('What to do, most urgent first'),
})

/** See diagnosisSchema. */
export type Diagnosis = z.output<typeof diagnosisSchema>
