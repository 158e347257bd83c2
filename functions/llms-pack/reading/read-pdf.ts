import { getDocumentProxy } from 'unpdf'
import { z } from 'zod'
import { type DocumentTask, enoughFor, type ReadDocument, toDocument, toWords, unread } from './document.ts'
import { limitMemory } from './limit-memory.ts'
import { type PdfPiece, toPageText } from './pdf-lines.ts'

const mostPages = 200
const mostMb = 320

const pieceSchema = z.object({
  str: z.string(),
  transform: z.array(z.number()).min(6),
  height: z.number(),
  hasEOL: z.boolean(),
})
const metadataSchema = z.object({ info: z.object({ Title: z.string() }) })
const errorSchema = z.object({ name: z.string() })
/** Titles that programs set when the author set none. */
const nameless = /^(?:untitled\b.*|microsoft word - .*|.*\.(?:docx?|tex|dvi|indd|pdf|odt))$/i

/**
 * Reads the text of a PDF, page by page, until there is enough. Images are not decoded, and scripts in it do not run.
 */
export async function readPdf(task: DocumentTask): Promise<ReadDocument> {
  // The cross-reference table of a PDF is at its end, so the beginning alone cannot be read.
  if (task.isCut) return unread('a PDF that is too large')
  limitMemory(mostMb)
  let pdf: Awaited<ReturnType<typeof getDocumentProxy>>
  try {
    pdf = await getDocumentProxy(new Uint8Array(task.body), {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      maxImageSize: 1,
    })
  } catch (error) {
    return unread(whyClosed(error))
  }
  const enough = enoughFor(task.maxChars)
  const pages: string[] = []
  let [length, isWhole, number] = [0, true, 0]
  try {
    while (isWhole && number < pdf.numPages) {
      number += 1
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      page.cleanup()
      const text = toPageText(items.flatMap(toPiece))
      if (text !== '') pages.push(pdf.numPages === 1 ? text : `[page ${number}]\n\n${text}`)
      length += text.length
      isWhole = number === pdf.numPages || (number < mostPages && length <= enough)
    }
  } catch (error) {
    if (pages.length === 0) return unread(whyClosed(error))
    isWhole = false
  }
  const title = findTitle(await pdf.getMetadata().catch(() => undefined), pages[0] ?? '')
  await pdf.loadingTask.destroy()
  if (pages.length === 0) return unread('a PDF without text: its pages are pictures')
  const text = pages.join('\n\n')
  return toDocument({ title, text: toWords(text, task.maxChars), isWhole: isWhole && text.length <= enough }, task)
}

const toPiece = (item: unknown): PdfPiece[] => {
  const piece = pieceSchema.safeParse(item)
  // An item without text: a marked-content item of the document structure.
  if (!piece.success) return []
  const { str, transform, height, hasEOL } = piece.data
  return [{ text: str, y: transform[5] ?? 0, height, endsLine: hasEOL }]
}

function whyClosed(error: unknown): string {
  const { name } = errorSchema.safeParse(error).data ?? { name: '' }
  return name === 'PasswordException' ? 'a PDF that is locked by a password' : 'its PDF is broken'
}

/** The title in the metadata, or the first line of the text. */
function findTitle(metadata: unknown, first: string): string {
  const named = metadataSchema.safeParse(metadata).data?.info.Title.trim() ?? ''
  if (named !== '' && !nameless.test(named)) return named
  return first.replace(/^\[page 1\]\n\n/, '').split('\n', 1)[0] ?? ''
}
