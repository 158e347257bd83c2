import { makeListing, makeListNesting } from './list-nesting.ts'
import type { Block, Cell, Mark, Piece } from './page.ts'

/** More blocks than real pages have; the blocks after these are not read. */
const mostBlocks = 20_000
/** Quotations that are nested deeper are written as if they were this deep. */
const deepestQuote = 4
/** More characters of one block than are ever written; the rest only counts for its size. */
const longestText = 250_000

const wide = 0x2e80

/**
 * The length of a text without the space around it. CJK and other wide scripts count twice, because one sign says more.
 */
function sizeOf(text: string): number {
  const { length } = text.trim()
  return length > 1 && text.charCodeAt(text.length >> 1) >= wide ? 2 * length : length
}

/**
 * Collects text into blocks. A mark (a link, strong text) that is open at the end of a block is open in the next one.
 */
export function makeBlockWriter() {
  const blocks: Block[] = []
  const open = new Map<Mark['sign'], { depth: number; mark: Mark }>()
  const { takePlace, ...lists } = makeListNesting()
  const { addToListing, takeListing, ...listing } = makeListing()
  let pieces: Piece[] = []
  let [size, linkSize, level, quotes] = [0, 0, 0, 0]
  let code: string | undefined
  let cell: Cell | undefined
  let endsInBreak = false
  let isRaised = false
  let length = 0

  const add = (block: Pick<Block, 'is'> & Partial<Block>): void => {
    if (blocks.length >= mostBlocks) return
    blocks.push({
      level: 0,
      language: '',
      pieces: [],
      size: 0,
      linkSize: 0,
      quotes: Math.min(quotes, deepestQuote),
      ...takePlace(),
      cell,
      ...block,
    })
  }
  const addText = (text: string): void => {
    const at = pieces.length - 1
    const last = pieces[at]
    if (typeof last === 'string') pieces[at] = last + text
    else pieces.push(text)
  }
  const endCode = (): void => {
    if (code?.trim()) pieces.push({ is: 'code', text: code })
    else if (code) addText(' ')
    code &&= ''
  }
  const restart = (): void => {
    pieces = open.size === 0 ? [] : [...open.values()].map(({ mark }) => mark)
    ;[size, linkSize, length, endsInBreak] = [0, 0, 0, false]
  }

  return {
    ...lists,
    ...listing,
    blocks,
    isFull: (): boolean => blocks.length >= mostBlocks,
    /** The number of blocks, which is the index of the next one. */
    count: (): number => blocks.length,

    text(text: string): void {
      if (isRaised) addText('^')
      isRaised = false
      const kept = text.slice(0, Math.max(0, longestText - length))
      length += kept.length
      if (listing.isListing()) addToListing(kept)
      else if (code !== undefined) code += kept
      else if (kept !== '') addText(kept)
      if (listing.isListing()) return
      const added = sizeOf(text)
      if (added === 0) return
      endsInBreak = false
      size += added
      if (open.has('link')) linkSize += added
    },

    /** Ends the block that is being written, if there is anything in it. */
    flush(): void {
      if (listing.isListing()) return
      endCode()
      if (size > 0) add({ is: level > 0 ? 'heading' : 'paragraph', level, pieces, size, linkSize })
      restart()
    },

    lineBreak(): void {
      if (listing.isListing()) addToListing('\n')
      else if (endsInBreak) this.flush()
      else {
        if (size > 0) pieces.push({ is: 'break' })
        endsInBreak = size > 0
      }
    },

    rule(): void {
      add({ is: 'rule' })
    },

    openMark(sign: Mark['sign'], href?: string): void {
      if (listing.isListing() || code !== undefined) return
      const known = open.get(sign)
      if (known) {
        known.depth += 1
        return
      }
      const mark: Mark = { is: 'open', sign, ...(href !== undefined && { href }) }
      open.set(sign, { depth: 1, mark })
      pieces.push(mark)
    },

    closeMark(sign: Mark['sign']): void {
      const known = open.get(sign)
      if (!known) return
      known.depth -= 1
      if (known.depth > 0) return
      open.delete(sign)
      pieces.push({ ...known.mark, is: 'close' })
    },

    openCode(): void {
      if (!listing.isListing()) code ??= ''
    },
    closeCode(): void {
      endCode()
      code = undefined
    },

    closeListing(): void {
      const taken = takeListing()
      if (!taken) return
      const { text, language } = taken
      if (text !== '') add({ is: 'code', language, pieces: [text], size: sizeOf(text) })
      restart()
    },

    openHeading(given: number): void {
      level = given
    },
    closeHeading(): void {
      level = 0
    },
    openQuote(): void {
      quotes += 1
    },
    closeQuote(): void {
      quotes -= 1
    },
    /** Begins or ends superscript: the text inside gets a `^`; a link to a note inside is left out. */
    raise(given: boolean): void {
      isRaised = given
    },
    isRaised: (): boolean => isRaised,

    enterCell(entered: Cell | undefined): void {
      cell = entered
    },
    cell: (): Cell | undefined => cell,
  }
}

/** See makeBlockWriter. */
export type BlockWriter = ReturnType<typeof makeBlockWriter>
