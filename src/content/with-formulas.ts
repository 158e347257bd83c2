import { type MdastNode, mdxToMdast } from 'satteri'
import { features } from './syntax.ts'

/** Something like a formula between single signs; whether it is one depends on where it stands. */
const likely = /(?<![\w$\\])\$(?=[^\s$\d]|\d[^$\n]{0,40}[=^_\\+])[^$\n]{0,200}?[^\s$]\$(?![\w$])/
/** Of what stands between the signs: `5 or ` and `0.05` belong to prices. */
const isTex = (words: string): boolean =>
  /^(?:[^\s$\d]|\d[^$\n]{0,40}[=^_\\+])[^$\n]{0,200}$/.test(words) && !/\s$/.test(words)

/** Each takes a price out of every paragraph that has one before a formula; with more of them there are no formulas. */
const maxRounds = 64

interface Place {
  readonly start: number
  readonly end: number
}

const allOf = (node: MdastNode): MdastNode[] => [node, ...('children' in node ? node.children.flatMap(allOf) : [])]

/** What the parser takes for formulas between single signs; nothing when it can make no sense of the text so. */
function findSingles(source: string): Place[] | undefined {
  let root: MdastNode
  try {
    root = mdxToMdast(source, { features: { ...features, math: true } })
  } catch {
    // A sign too many hides half of an element or an expression.
    return undefined
  }
  return allOf(root).flatMap(({ type, position }) => {
    const [start = 0, end = 0] = [position?.start.offset, position?.end.offset]
    return type === 'inlineMath' && source[start + 1] !== '$' ? [{ start, end }] : []
  })
}

/**
 * A text with `$$` around what stands between single signs and is a formula. A `$` is a sign of money here, so the
 * pages' parser knows formulas by two of them; every line keeps its number. Without the mark that some editors begin a
 * file with (U+FEFF), which the parser leaves out when it counts places.
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
    // Any other sign in the place of the first lets the next one of its paragraph pair with what follows.
    for (const [place, { start }] of prices.entries())
      if (place === 0 || /\n[ \t>]*\n/.test(source.slice(prices[place - 1]?.end, start)))
        tried = `${tried.slice(0, start)}S${tried.slice(start + 1)}`
  }
  return source
}

const withDoubleSigns = (text: string, { start, end }: Place): string =>
  `${text.slice(0, start)}$${text.slice(start, end)}$${text.slice(end)}`
