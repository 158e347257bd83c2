import type { Block, Page, PagePart } from './page.ts'

/** Thresholds, as shares of the weight or size of the page, by which `findMain` accepts or rejects a part. */
const shares = {
  main: 0.2,
  article: 0.75,
  articles: 0.5,
  body: 0.4,
  densest: 0.8,
  links: 0.3,
  keptName: 0.5,
  form: 0.25,
} as const
type Range = Pick<PagePart, 'from' | 'to'>

/** With less weight than this, a page has too little text to tell its main part from the rest. */
const leastWeight = 140
const shortest = 40

/** How much a block looks like prose: long blocks count fully, headings half, short blocks a quarter, links nothing. */
function weigh({ is, size, linkSize }: Block): number {
  if (linkSize > size / 2) return 0
  const own = size - linkSize
  if (is === 'heading') return own / 2
  return own >= shortest || is === 'code' ? own : own / 4
}

/** Prefix sums: the sum of any range of `figures` costs one subtraction. */
function makeSums(figures: readonly number[]) {
  const sums = [0]
  let sum = 0
  for (const figure of figures) {
    sum += figure
    sums.push(sum)
  }
  return ({ from, to }: Range): number => (sums[to] ?? sum) - (sums[from] ?? sum)
}

/** For each block, whether it lies in at least one of the parts. */
function cover(count: number, parts: readonly PagePart[]): boolean[] {
  const changes = new Int32Array(count + 1)
  for (const { from, to } of parts) {
    changes[from] = (changes[from] ?? 0) + 1
    changes[to] = (changes[to] ?? 0) - 1
  }
  let depth = 0
  return Array.from({ length: count }, (_, at) => {
    depth += changes[at] ?? 0
    return depth > 0
  })
}

const heaviest = (parts: readonly PagePart[], weightOf: (part: PagePart) => number): PagePart | undefined =>
  parts.reduce<PagePart | undefined>(
    (best, part) => (best && weightOf(best) >= weightOf(part) ? best : part),
    undefined,
  )

const lengthOf = ({ from, to }: Range): number => to - from

const isInside = (inner: PagePart, outer: Range): boolean => inner.from >= outer.from && inner.to <= outer.to

/** The blocks of the main part of a page without its boilerplate. If no main part is found, all text is kept. */
export function findMain({ blocks, parts }: Page): readonly Block[] {
  const isBoilerplate = findBoilerplateBlocks({ blocks, parts })
  const weightOf = makeSums(blocks.map((block, at) => (isBoilerplate[at] ? 0 : weigh(block))))
  const sizeOf = makeSums(blocks.map(({ size }, at) => (isBoilerplate[at] ? 0 : size)))
  const linkSizeOf = makeSums(blocks.map(({ linkSize }, at) => (isBoilerplate[at] ? 0 : linkSize)))
  const whole = { from: 0, to: blocks.length }
  const isThere = (part: PagePart) => sizeOf(part) > 0

  const findBySemantics = (): Range | undefined => {
    const main = heaviest(parts.filter(({ role }) => role === 'main').filter(isThere), sizeOf)
    const scope = main && sizeOf(main) >= shares.main * sizeOf(whole) ? main : undefined
    const within = scope ?? whole
    const articles = parts.filter((part) => part.role === 'article' && isThere(part) && isInside(part, within))
    const article = heaviest(articles, weightOf)
    if (article && weightOf(article) > 0 && weightOf(article) >= shares.article * weightOf(within)) return article
    if (scope) return scope
    const [first, last] = [articles[0], articles.at(-1)]
    if (first && last) {
      const range = { from: first.from, to: articles.reduce((end, { to }) => Math.max(end, to), last.to) }
      if (weightOf(range) >= shares.articles * weightOf(whole)) return range
    }
    const body = heaviest(parts.filter(({ role }) => role === 'body').filter(isThere), weightOf)
    return body && weightOf(body) >= shares.body * weightOf(whole) ? body : undefined
  }

  /**
   * The smallest part that holds nearly all prose, widened to the parts around it as long as they add text, not links.
   */
  const findByDensity = (): Range | undefined => {
    const total = weightOf(whole)
    if (total < leastWeight) return undefined
    const holders = parts
      .filter((part) => weightOf(part) >= shares.densest * total)
      .toSorted((a, b) => lengthOf(a) - lengthOf(b))
    let best: Range = holders[0] ?? whole
    // An enclosing part may hold more of the text, or navigation. Navigation is recognized by its share of links.
    for (const holder of [...holders.slice(1), whole]) {
      if (linkSizeOf(holder) - linkSizeOf(best) > shares.links * (sizeOf(holder) - sizeOf(best))) break
      best = holder
    }
    return trimLinks(best)
  }

  /** The range without the links and scraps before its first heading or prose, and after its last prose. */
  const trimLinks = ({ from, to }: Range): Range => {
    const isText = (at: number) =>
      isBoilerplate[at] === false && (blocks[at]?.is === 'heading' || weightOf({ from: at, to: at + 1 }) > 0)
    let [start, end] = [from, to]
    while (start < end && !isText(start)) start += 1
    while (end > start && !(isText(end - 1) && blocks[end - 1]?.is !== 'heading')) end -= 1
    return { from: start, to: end }
  }

  const range = findBySemantics() ?? findByDensity()
  const kept = range ? blocks.filter((_, at) => at >= range.from && at < range.to && !isBoilerplate[at]) : []
  if (kept.some(({ size }) => size > 0)) return kept
  const isFallback = cover(
    blocks.length,
    parts.filter(({ boilerplate }) => boilerplate === 'fallback'),
  )
  const all = blocks.filter((_, at) => !isFallback[at])
  return all.some(({ size }) => size > 0) ? all : blocks
}

/** Which blocks are boilerplate: those in suspected parts, except for suspects that hold too much of the text. */
function findBoilerplateBlocks({ blocks, parts }: Pick<Page, 'blocks' | 'parts'>): boolean[] {
  const count = blocks.length
  const isSure = cover(
    count,
    parts.filter(({ boilerplate }) => boilerplate === 'element' || boilerplate === 'fallback'),
  )
  const weightOf = makeSums(blocks.map((block, at) => (isSure[at] ? 0 : weigh(block))))
  const sizeOf = makeSums(blocks.map(({ size }) => size))
  const linkSizeOf = makeSums(blocks.map(({ linkSize }) => linkSize))
  const total = weightOf({ from: 0, to: count })
  const isReally = (part: PagePart): boolean => {
    switch (part.boilerplate) {
      case undefined:
        return false
      case 'element':
      case 'fallback':
        return true
      case 'name':
        return weightOf(part) <= shares.keptName * total
      case 'form':
        return weightOf(part) < shares.form * total
      case 'aside':
        return linkSizeOf(part) > 0.4 * sizeOf(part)
    }
  }
  return cover(count, parts.filter(isReally))
}
