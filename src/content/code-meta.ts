/** How a line of code is marked: emphasised, added or removed. Each value is the name of an HTML element. */
export type CodeMark = 'mark' | 'ins' | 'del'

/** The options behind the language of a code block: ```` ```ts title="a.ts" {1,4-6} ins={2} del={3} ````. */
export interface CodeMeta {
  readonly title: string | undefined
  /** Marks by line number, from 1. */
  readonly marks: ReadonlyMap<number, CodeMark>
  /** What is wrong with the options, to be appended to file and line. */
  readonly fault: string | undefined
}

const titlePart = /(?:^|\s)title=(?:"([^"]*)"|'([^']*)')/
const marksPart = /(?:^|\s)(?:(ins|del)=)?\{([^{}]*)\}/g

/** Parses a list of lines such as `2,4-6` into ranges; the numbers of a part that cannot be read are 0. */
const toRanges = (list: string) =>
  list.split(',').map((part) => {
    const [, first = '', last = first] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? []
    return { part: part.trim(), first: Number(first), last: Number(last) }
  })

/** Reads the options of a code block. Marking lines that the block does not have is a fault. */
export function readCodeMeta(meta: string | null | undefined, code: string): CodeMeta {
  const [, double, single] = titlePart.exec(meta ?? '') ?? []
  const marks = new Map<number, CodeMark>()
  const lines = code.split('\n').length
  let fault: string | undefined
  for (const [, kind, list = ''] of (meta ?? '').replace(titlePart, ' ').matchAll(marksPart))
    for (const { part, first, last } of toRanges(list)) {
      if (first < 1 || last < first || last > lines)
        fault ??= `the code has ${lines} ${lines === 1 ? 'line' : 'lines'}, so {${part}} marks none of them; write {2} or {2,4-6}`
      else
        for (let line = first; line <= last; line++)
          marks.set(line, kind === 'ins' ? 'ins' : kind === 'del' ? 'del' : 'mark')
    }
  return { title: (double ?? single)?.trim() || undefined, marks, fault }
}
