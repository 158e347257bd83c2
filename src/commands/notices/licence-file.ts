import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The licence of a package, according to its files. */
export interface LicenceFile {
  /** The text of the licence file, when there is one. */
  readonly text: string | undefined
  /** Its lines with a copyright notice; the author when there are none. */
  readonly copyright: readonly string[]
  /** The address of its source code. */
  readonly source: string | undefined
}

const person = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
const manifestSchema = z.object({
  author: person.optional(),
  repository: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]).optional(),
})

/** Whether a line is a copyright notice. Templates (`[yyyy]`) and clauses `(c)` of a licence are not. */
const isCopyright = (line: string): boolean =>
  /^\W*(?:copyright\b.*(?:\(c\)|©|\d{4})|(?:\(c\)|©)\s.*\d{4})/i.test(line) && !line.includes('[yyyy]')

/** A licence text without its copyright notices, which differ from one work to the next. */
export const withoutCopyright = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isCopyright(line))
    .join('\n')
    .trim()

/** The normalized text of a licence: equal for the same licence, whatever its heading, layout and quotes. */
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
