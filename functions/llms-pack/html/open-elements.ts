import { blockElements, listElements } from './elements.ts'

/** An element that is open; `leave` undoes what its opening did. */
interface OpenElement {
  readonly name: string
  readonly leave: (() => void) | undefined
  /**
   * Closed by its own end tag before the elements inside it, as in `<b><p></b></p>`; its contents stay where they are.
   */
  isLeft: boolean
}

/** Browsers do not nest deeper, either. Elements that are nested deeper are ignored, and their text is read. */
const deepest = 512

/**
 * For each element: which open elements its start tag closes (`ended`), and at which ones the search stops (`within`).
 */
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
 * The stack of open elements, balanced as in a browser: an element ends where its parent ends, or where an element
 * begins that cannot stand inside it; an end tag without a start tag is ignored. Every step takes the same time at any
 * depth, because the positions of the open elements are indexed by name.
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
    // The page chooses the names, so the index would grow with it if empty entries stayed.
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
    /** Whether an element of this name is open. */
    has: (name: string): boolean => (places.get(name)?.length ?? 0) > 0,
    /** Whether the next element would be nested too deep to be noticed. */
    isFull: (): boolean => stack.length >= deepest,

    /**
     * Closes the elements whose end tags the start tag of `name` implies. To be called before anything is done for the
     * element itself.
     */
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
      // An end tag inside a cell does not close what is open outside of the table.
      if (place < 0 || (!tableParts.has(name) && place < lastOf(cells))) return
      const isInline = !blockElements.has(name) && !listElements.has(name)
      const element = stack[place]
      if (isInline && place < (blocks.at(-1) ?? -1) && element) forget(element)
      else closeFrom(place)
    },

    closeAll: (): void => closeFrom(0),
  }
}
