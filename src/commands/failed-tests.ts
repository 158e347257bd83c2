import { relative } from 'node:path'
import { z } from 'zod'

/** The part of Vitest's JSON report that names files and tests. */
export const testResultsSchema = z.array(
  z.object({
    name: z.string(),
    status: z.string(),
    assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
  }),
)

/**
 * The failed tests, each with its file relative to `root`, or the file alone where it failed before or after its tests.
 * Printed at the end of a run, because the differences that Vitest prints with them may be thousands of lines.
 */
export const listFailedTests = (results: z.output<typeof testResultsSchema>, root: string): string[] =>
  results
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = relative(root, name)
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length === 0 ? [file] : failed.map(({ fullName }) => `${file}: ${fullName}`)
    })
