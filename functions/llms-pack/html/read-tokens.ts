import { Tokenizer } from 'htmlparser2'

const wanted = [
  'alt',
  'alttext',
  'aria-hidden',
  'aria-modal',
  'class',
  'colspan',
  'content',
  'hidden',
  'href',
  'id',
  'itemprop',
  'name',
  'property',
  'reversed',
  'role',
  'rowspan',
  'src',
  'start',
  'style',
  'value',
] as const

type WantedName = (typeof wanted)[number]

/** The attributes of an element that matter for its text; the value may be empty. */
export type Attributes = Readonly<Partial<Record<WantedName, string>>>

/** Receives the tokens of a page in order. Tags are not balanced: a closed element may never have been opened. */
export interface TokenSink {
  /** `name` is in lower case. */
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** `text` has its entities decoded. Consecutive text may come in several calls. */
  text(text: string): void
  /** Whether the sink keeps nothing more, so that reading can stop. */
  isFull(): boolean
}

const wantedNames: ReadonlySet<string> = new Set(wanted)
const isWanted = (name: string): name is WantedName => wantedNames.has(name)
const none: Attributes = {}
/** Authors write fewer and shorter attributes. The limits protect time and memory from hostile pages. */
const mostAttributes = 100
const longestValue = 4096
/** More elements than pages that people read have. */
const mostElements = 50_000

/**
 * Reads HTML in one pass and in time proportional to its length, whatever it holds. There is no tree: building one is
 * what makes other readers slow on hostile pages.
 *
 * @returns whether the page was read to its end: it is not when it has more elements than any page needs
 */
export function readTokens(html: string, sink: TokenSink): boolean {
  let name = ''
  let attributes: Partial<Record<WantedName, string>> | undefined
  let count = 0
  let elements = 0
  let isWhole = true
  let attribute: WantedName | undefined
  let value = ''

  let [from, to] = [0, 0]

  /** Passes on the pending text in one piece: the tokenizer splits it at every character that might begin markup. */
  const endText = (): void => {
    if (to > from) sink.text(html.slice(from, to))
    ;[from, to] = [0, 0]
  }
  const add = (text: string): void => {
    if (attribute !== undefined && value.length < longestValue) value += text.slice(0, longestValue)
  }
  const open = (): void => {
    endText()
    elements += 1
    isWhole &&= elements <= mostElements && !sink.isFull()
    if (!isWhole) tokenizer.pause()
    else sink.open(name, attributes ?? none)
  }
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext(start, end) {
        if (start !== to) {
          endText()
          from = start
        }
        to = end
      },
      ontextentity(codePoint) {
        endText()
        sink.text(String.fromCodePoint(codePoint))
      },
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase()
        attributes = undefined
        count = 0
      },
      onattribname(start, end) {
        count += 1
        const given = count > mostAttributes ? '' : html.slice(start, end).toLowerCase()
        attribute = isWanted(given) && attributes?.[given] === undefined ? given : undefined
        value = ''
      },
      onattribdata: (start, end) => add(html.slice(start, end)),
      onattribentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onattribend() {
        if (attribute === undefined) return
        attributes ??= {}
        attributes[attribute] = value
        attribute = undefined
      },
      onopentagend: open,
      // In HTML a slash at the end of a start tag has no effect.
      onselfclosingtag: open,
      onclosetag(start, end) {
        endText()
        sink.close(html.slice(start, end).toLowerCase())
      },
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  endText()
  return isWhole
}
