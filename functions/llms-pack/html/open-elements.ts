import { blockElements, listElements } from './elements.ts'

/** An element that is open; `leave` undoes what its opening did. */
interface OpenElement {
  readonly name: string
  readonly leave: (() => void) | undefined
  /** Closed out of order by its own tag, as in `<b><p></b></p>`; what it held stays where it is. */
  isLeft: boolean
}

/** Deeper than browsers go; what is nested deeper is read as if its elements were not there. */
const deepest = 512

/** What a new element ends by beginning, and inside what it does not reach beyond. */
const cells = ['td', 'th', 'caption']
const rowGroups = ['tbody', 'thead', 'tfoot', 'tr', 'caption']
const inList = { ended: ['li'], within: ['ul', 'ol', 'menu', 'dir', 'td', 'th'] }
const inTerms = { ended: ['dt', 'dd'], within: ['dl', 'td', 'th'] }
const inRow = { ended: cells, within: ['table', 'tr'] }
const inGroup = { ended: ['tr', 'caption'], within: ['table'] }
const inTable = { ended: rowGroups, within: ['table'] }
const impliedEnds = new Map<string, { readonly ended: readonly string[]; readonly within: readonly string[] }>([
  ['li', inList],
  ['dt', inTerms],
  ['dd', inTerms],
  ['td', inRow],
  ['th', inRow],
  ['tr', inGroup],
  ['tbody', inTable],
  ['thead', inTable],
  ['tfoot', inTable],
])
const tableParts: ReadonlySet<string> = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th', 'caption'])

/**
 * Which elements are open, balanced as a browser would: an element ends where its parent ends or where another begins
 * that cannot stand inside it, and an end that nothing began is ignored. Every step takes the same time at any depth,
 * because for each name the places of its open elements are kept.
 */
export function makeOpenElements() {
  const stack: OpenElement[] = []
  const places = new Map<string, number[]>()
  const blocks: number[] = []
  let tooDeep = 0

  const lastPlace = (name: string): number => places.get(name)?.at(-1) ?? -1
  const lastOf = (names: readonly string[]): number => {
    let last = -1
    for (const name of names) last = Math.max(last, lastPlace(name))
    return last
  }
  const forget = (element: OpenElement): void => {
    const known = places.get(element.name)
    known?.pop()
    // Names are a stranger's to make up, as many as fit into a page.
    if (known?.length === 0) places.delete(element.name)
    element.isLeft = true
    element.leave?.()
  }
  const closeFrom = (place: number): void => {
    while (stack.length > place) {
      const element = stack.pop()
      if (blocks.at(-1) === stack.length) blocks.pop()
      if (element && !element.isLeft) forget(element)
    }
  }
  const endImplied = (name: string): void => {
    if (!blockElements.has(name)) return
    const paragraph = lastPlace('p')
    if (paragraph >= 0 && paragraph > lastOf(cells)) closeFrom(paragraph)
    const rule = impliedEnds.get(name)
    if (!rule) return
    const border = lastOf(rule.within)
    let first = Number.POSITIVE_INFINITY
    for (const ended of rule.ended) {
      const place = lastPlace(ended)
      if (place > border && place < first) first = place
    }
    closeFrom(first)
  }

  return {
    /** Whether such an element is open. */
    has: (name: string): boolean => (places.get(name)?.length ?? 0) > 0,
    /** Whether the next element would be nested too deep to be noticed. */
    isFull: (): boolean => stack.length >= deepest,

    /** Ends what the element ends by beginning. To be called before anything is done for the element itself. */
    endImplied,

    push(name: string, leave?: () => void): void {
      if (stack.length >= deepest) {
        tooDeep += 1
        return
      }
      const known = places.get(name)
      if (known) known.push(stack.length)
      else places.set(name, [stack.length])
      if (blockElements.has(name)) blocks.push(stack.length)
      stack.push({ name, leave, isLeft: false })
    },

    close(name: string): void {
      if (tooDeep > 0) {
        tooDeep -= 1
        return
      }
      const place = lastPlace(name)
      // A stray end inside a cell does not break up the table.
      if (place < 0 || (!tableParts.has(name) && place < lastOf(cells))) return
      const isInline = !blockElements.has(name) && !listElements.has(name)
      const element = stack[place]
      if (isInline && place < (blocks.at(-1) ?? -1) && element) forget(element)
      else closeFrom(place)
    },

    closeAll: (): void => closeFrom(0),
  }
}
