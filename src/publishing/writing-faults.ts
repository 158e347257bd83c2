import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { calloutKinds } from './callout-name.ts'
import { type ComponentTag, readTag } from './component-tag.ts'
import { writingComponentFiles } from './writing-component-files.ts'

const fence = /^[ \t>]*(`{3,}|~{3,})/
const image = /!\[[^\]]*\]\(<?([^)\s>]+)/g
/** An address on the web or from the site's root, which is no file beside the text. */
const address = /^(?:[a-z][a-z\d+.-]*:|[/#])/i
const inlineCode = /(`+)(?!`)[^\n]*?[^`]\1(?!`)/g

/** Something wrong with a text; the sentence goes on after its file and line. */
export interface Fault {
  line: number
  sentence: string
}

interface Surroundings {
  /** Of the text. */
  file: string
  /** Slugs of everything that is for sale. */
  products: ReadonlySet<string>
}

/** What is wrong with one tag; nothing when all is well. */
function tagFault({ name, is, attributes }: ComponentTag, products: ReadonlySet<string>): string | undefined {
  if (is === 'closing') return undefined
  if (name === 'ProductCard' && !products.has(attributes.slug ?? ''))
    return `nothing that is for sale is named "${attributes.slug ?? ''}"; there are ${[...products].join(', ')}`
  if (name === 'Figure' && !attributes.caption) return 'a <Figure> needs a caption: <Figure caption="What it shows">'
  if (name === 'Callout' && attributes.kind !== undefined && !calloutKinds.includes(attributes.kind))
    return `a <Callout> is of the kind ${calloutKinds.join(', ')}, not "${attributes.kind}"`
  return undefined
}

/** Finds in the source of a post or page what would fail late in a build, or not until somebody reads it. */
export function findWritingFaults(source: string, { file, products }: Surroundings): Fault[] {
  const known = new Set([...Object.keys(writingComponentFiles), 'Fragment'])
  for (const [, names = ''] of source.matchAll(/^(?:import\s+(.+?)\s+from|export\s+(?:const|function)\s+\w+)/gm))
    for (const [name] of names.matchAll(/\w+/g)) known.add(name)
  const faults: Fault[] = []
  let code: string | undefined
  for (const [index, whole] of source.split('\n').entries()) {
    const fault = (sentence: string) => faults.push({ line: index + 1, sentence })
    const mark = fence.exec(whole)?.[1]
    if (code !== undefined) {
      if (mark?.startsWith(code) && whole.trimEnd().endsWith(mark)) code = undefined
      continue
    }
    code = mark
    if (mark !== undefined) continue
    const line = whole.replace(inlineCode, '')
    for (const [, name = ''] of line.matchAll(/<([A-Z]\w*)[\s/>]/g))
      if (!known.has(name))
        fault(`there is no component <${name}>; there are ${Object.keys(writingComponentFiles).join(', ')}`)
    for (const [, path = ''] of line.matchAll(image))
      if (!address.test(path) && !existsSync(resolve(dirname(file), path.replaceAll('%20', ' '))))
        fault(`there is no image ${path} beside this file; add it or correct the path`)
    const tag = readTag(whole)
    const sentence = tag && tagFault(tag, products)
    if (sentence) fault(sentence)
  }
  return faults
}
