import { type MdastNode, mdxToMdast } from 'satteri'
import { features } from './syntax.ts'

/** Text that looks like a formula between single `$`. Whether it is one depends on its context. */
const likely = /(?<![\w$\\])\$(?=[^\s$\d]|\d[^$\n]{0,40}[=^_\\+])[^$\n]{0,200}?[^\s$]\$(?![\w$])/
/** Whether the text between two `$` is TeX: `5 or ` and `0.05` belong to prices. */
const isTex = (words: string): boolean =>
  /^(?:[^\s$\d]|\d[^$\n]{0,40}[=^_\\+])[^$\n]{0,200}$/.test(words) && !/\s$/.test(words)

/** Each round removes one price from every paragraph that still has one; after the last, formulas are given up. */
const maxRounds = 64

interface Place {
  readonly start: number
  readonly end: number
}

const allOf = (node: MdastNode): MdastNode[] => [node, ...('children' in node ? node.children.flatMap(allOf) : [])]

/** The ranges that the parser reads as formulas between single `$`; undefined when it cannot parse the text so. */
function findSingles(source: string): Place[] | undefined {
  let root: MdastNode
  try {
    root = mdxToMdast(source, { features: { ...features, math: true } })
  } catch {
    // An unpaired `$` can hide half of an element or an expression.
    return undefined
  }
  return allOf(root).flatMap(({ type, position }) => {
    const [start = 0, end = 0] = [position?.start.offset, position?.end.offset]
    return type === 'inlineMath' && source[start + 1] !== '$' ? [{ start, end }] : []
  })
}

/**
 * Replaces the single `$` around formulas by `$$`. A single `$` may be a dollar sign, so the pages' parser accepts only
 * `$$`. Line numbers stay the same. A byte order mark (U+FEFF) is removed, because the parser does not count it in
 * offsets.
 */
export function withFormulas(written: string): string {
  const source = written.replace(/^\ufeff/, '')
  if (!likely.test(source)) return source
  let tried = source
  for (let round = 0; round < maxRounds; round++) {
    const places = findSingles(tried)
    if (places === undefined) return source
    const isFormula = ({ start, end }: Place) =>
      isTex(source.slice(start + 1, end - 1)) && !/\w/.test(source[end] ?? '')
    const prices = places.filter((place) => !isFormula(place))
    if (prices.length === 0) return places.toReversed().reduce(withDoubleSigns, source)
    // Replacing the `$` of the first price in a paragraph lets the next `$` there pair with what follows it.
    for (const [place, { start }] of prices.entries())
      if (place === 0 || /\n[ \t>]*\n/.test(source.slice(prices[place - 1]?.end, start)))
        tried = `${tried.slice(0, start)}S${tried.slice(start + 1)}`
  }
  return source
}

const withDoubleSigns = (text: string, { start, end }: Place): string =>
  `${text.slice(0, start)}$${text.slice(start, end)}$${text.slice(end)}`
