import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** What a package says of its licence. */
export interface LicenceFile {
  /** The whole file, when there is one. */
  readonly text: string | undefined
  /** The lines of it that say whose work this is; the author when there are none. */
  readonly copyright: readonly string[]
  /** Where its source is. */
  readonly source: string | undefined
}

const person = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
const manifestSchema = z.object({
  author: person.optional(),
  repository: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]).optional(),
})

/** Templates (`[yyyy]`) and clauses `(c)` of a licence claim nothing. */
const isCopyright = (line: string): boolean =>
  /^\W*(?:copyright\b.*(?:\(c\)|©|\d{4})|(?:\(c\)|©)\s.*\d{4})/i.test(line) && !line.includes('[yyyy]')

/** A licence without the lines that differ from one work to the next. */
export const withoutCopyright = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isCopyright(line))
    .join('\n')
    .trim()

/** What two licences have in common when they are one and the same, however they are headed, set and quoted. */
export const toLicenceKey = (text: string): string =>
  withoutCopyright(text)
    .toLowerCase()
    .replace(/^.*?(?=permission is hereby granted)/s, '')
    .replace(/[^a-z0-9]/g, '')

/** Reads the licence of an installed package. */
export function readLicenceFile(folder: string): LicenceFile {
  const { author, repository } = manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const name = readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isFile() && /^(?:licen[cs]es?\b|copying)/i.test(item.name))
    .map((item) => item.name)
    .sort()[0]
  const text = name && readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()
  const claims = (text ?? '').split('\n').filter(isCopyright)
  return {
    text,
    copyright: claims.length > 0 ? [...new Set(claims.map(toClaim))] : author ? [`by ${author}`] : [],
    source: repository?.replace(/^git\+/, '').replace(/\.git$/, ''),
  }
}

const toClaim = (line: string): string => line.replace(/^[\s/*#>-]+|[\s*]+$/g, '')
