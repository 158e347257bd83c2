/** How a line of code is shown: emphasised, added or taken away; each is an element of HTML. */
export type CodeMark = 'mark' | 'ins' | 'del'

/** What stands behind the language where a block of code begins: ```` ```ts title="a.ts" {1,4-6} ins={2} del={3} ````. */
export interface CodeMeta {
  readonly title: string | undefined
  /** By the number of the line, from 1. */
  readonly marks: ReadonlyMap<number, CodeMark>
  /** What is wrong with it; the sentence goes on after file and line. */
  readonly fault: string | undefined
}

const titlePart = /(?:^|\s)title=(?:"([^"]*)"|'([^']*)')/
const marksPart = /(?:^|\s)(?:(ins|del)=)?\{([^{}]*)\}/g

/** Lines as they are listed, such as `2,4-6`, as their first and last. */
const toRanges = (list: string) =>
  list.split(',').map((part) => {
    const [, first = '', last = first] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? []
    return { part: part.trim(), first: Number(first), last: Number(last) }
  })

/** Reads what is said of a block of code; a mark of lines that it does not have is a fault. */
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
