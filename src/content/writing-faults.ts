import { isElsewhere } from '../core/is-elsewhere.ts'
import { readCodeMeta } from './code-meta.ts'
import { componentForms, findForm } from './component-forms.ts'
import { diagramLanguage, findDiagramFault } from './draw-diagram.ts'
import { findFormulaFault } from './draw-formula.ts'
import { declaredNames, type Evaluate, findModuleFault, makeEvaluate } from './expressions.ts'
import { findBeside } from './file-beside.ts'
import { textsOf } from './writing.ts'
import { attributesOf, type Fault, type Node, nodesOf, parseWriting } from './writing-tree.ts'

/** An absolute URL, a path from the site's root or a fragment: no file beside the text. */
const address = /^(?:[a-z][a-z\d+.-]*:|[/#])/i
/** The files that Astro treats as pictures; for any other the build would report that it is no module. */
const picture = /\.(?:jpe?g|a?png|tiff|webp|gif|svg|avif)$/i

/** What is wrong with a code block, a diagram or a formula; `line` counts from 0, the line where the block begins. */
function drawnFault({ type, lang, meta, value = '' }: Node): { line: number; sentence: string } | undefined {
  if (type === 'code') {
    const { title, fault } = readCodeMeta(meta, value)
    if (lang === diagramLanguage) return findDiagramFault(value, title)
    return fault === undefined ? undefined : { line: 0, sentence: fault }
  }
  const fault = type === 'math' || type === 'inlineMath' ? findFormulaFault(value) : undefined
  return fault === undefined ? undefined : { line: 0, sentence: fault }
}

interface Surroundings {
  /** The path of the text. */
  file: string
  /** Slugs of everything that is for sale. */
  products: ReadonlySet<string>
  /** The address of the site. */
  baseUrl: string
}

/** Faults for expressions that cannot be evaluated statically, so that only the page would have their values. */
function expressionFaults(node: Node, evaluate: Evaluate): string[] {
  const { type, name, value = '' } = node
  const attributes = findForm(name) ? attributesOf(node) : []
  const codes = type.endsWith('Expression')
    ? [value]
    : attributes.flatMap(({ value: code }) => (code && typeof code === 'object' ? [code.value] : []))
  const spread = attributes.flatMap((one) => (one.name === undefined ? [String(one.value)] : []))
  return [...codes.filter((code) => evaluate(code) === undefined), ...spread].map(
    (code) =>
      `the value of {${code.replace(/\s+/g, ' ').trim()}} cannot be known when the site is built; write it out, or declare it here with "export const"`,
  )
}

function componentFault(node: Node, known: ReadonlySet<string>, { products }: Surroundings, evaluate: Evaluate) {
  const { name, children = [] } = node
  if (!name || !/^[A-Z]/.test(name)) return undefined
  if (!known.has(name.replace(/\..*/, '')))
    return `there is no component <${name}>; available are ${Object.keys(componentForms).join(', ')}`
  return findForm(name)?.findFault?.(textsOf(node, evaluate), products, children)
}

/** What is wrong with the address of an image or of its definition. Astro decodes percent-encoding as browsers do. */
function imageFault(url: string, file: string): string | false {
  let path: string
  try {
    path = decodeURI(url)
  } catch {
    return `the address of the image ${url} has a % that is not part of a percent-encoded character; write %25 for it`
  }
  if (address.test(path)) return false
  if (findBeside(file, path) === undefined)
    return `there is no image ${url} beside this file; add it or correct the path`
  return (
    !picture.test(path) &&
    `browsers do not show ${url}; save the picture as JPEG, PNG, WebP, AVIF, GIF or SVG beside this file`
  )
}

/** Elements that load a file, and whether the author could put that file beside the text. */
const elements: ReadonlyMap<string, boolean> = new Map([
  ...['img', 'audio', 'video', 'source'].map((name) => [name, true] as const),
  ...['iframe', 'embed', 'object', 'script'].map((name) => [name, false] as const),
])

/** The addresses of files that an attribute of an element names. A comma separates those of `srcset` (HTML, 4.8.4.2.1). */
function addressesOf({ name = '', value }: ReturnType<typeof attributesOf>[number]): string[] {
  if (typeof value !== 'string') return []
  if (/^srcset$/i.test(name)) return value.split(/,\s+/).flatMap((part) => part.trim().split(/\s/)[0] ?? [])
  return ['src', 'data', 'poster'].includes(name) ? [value] : []
}

/** Elements whose file the pages' Content-Security-Policy would block silently. */
function elsewhereFault(node: Node, { baseUrl }: Surroundings): string | undefined {
  const isFile = elements.get(node.name ?? '')
  if (isFile === undefined) return undefined
  const source = attributesOf(node)
    .flatMap(addressesOf)
    .find((address) => isElsewhere(address, baseUrl))
  if (source === undefined) return undefined
  const help = isFile ? `put the file beside this one, or link to ${source}` : `link to ${source} instead`
  return `pages load nothing from other sites, so <${node.name}> would be empty; ${help}`
}

/** Syntax errors in the imports and exports of a post. */
const moduleFaults = (root: Node): Fault[] =>
  nodesOf(root).flatMap(({ type, value = '', position }) => {
    const fault = type === 'mdxjsEsm' ? findModuleFault(value) : undefined
    return fault ? [{ line: (position?.start.line ?? 1) + fault.line, sentence: fault.sentence }] : []
  })

/** Astro accepts front matter below empty lines, but all other code here would read it as text. */
const aboveFrontMatter = /^\s*\n(?:---|\+\+\+)/

/** Finds faults in the source of a post or page that would fail late in a build, or only when somebody reads it. */
export function findWritingFaults(source: string, surroundings: Surroundings): Fault[] {
  if (aboveFrontMatter.test(source))
    return [{ line: 1, sentence: 'the front matter begins in the first line; remove what stands above it' }]
  const root = parseWriting(source)
  if ('sentence' in root) return [root]
  const broken = moduleFaults(root)
  if (broken.length > 0) return broken
  const all = nodesOf(root)
  const evaluate = makeEvaluate(root)
  const known = new Set([...Object.keys(componentForms), 'Fragment', ...declaredNames(root)])
  const pictured = new Set(all.flatMap(({ type, identifier }) => (type === 'imageReference' ? [identifier] : [])))
  return all.flatMap((node): Fault[] => {
    const { type, url = '', identifier, position } = node
    const isImage = type === 'image' || (type === 'definition' && pictured.has(identifier))
    const line = position?.start.line ?? 1
    const drawn = drawnFault(node)
    const others = [
      componentFault(node, known, surroundings, evaluate),
      elsewhereFault(node, surroundings),
      ...expressionFaults(node, evaluate),
      isImage && imageFault(url, surroundings.file),
    ].flatMap((sentence) => (sentence ? [{ line, sentence }] : []))
    return drawn ? [...others, { line: line + drawn.line, sentence: drawn.sentence }] : others
  })
}
