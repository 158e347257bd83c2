import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/**
 * The private text of a build that maps each post that is not due yet to the pages that list posts of its tags, series
 * and authors. The first post of a tag brings the page of the tag with it.
 */
export const comingListsFile = 'coming-lists.json'

const schema = z.record(z.string(), z.array(z.string()))

/** Reads that map; empty for a build without one. All paths are percent-encoded. */
export function readComingLists(privateTexts: string): Map<string, readonly string[]> {
  const file = join(privateTexts, comingListsFile)
  return new Map(existsSync(file) ? Object.entries(schema.parse(JSON.parse(readFileSync(file, 'utf8')))) : [])
}
