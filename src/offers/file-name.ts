import type { Offer } from './offer.ts'

const endings: Readonly<Record<string, string>> = { 'application/json': '.json', 'application/jsonl': '.jsonl' }

/** The name of the downloaded file. Its ending fits the delivered type, which the input may have chosen. */
export function fileNameAs({ fileName, mimeType }: Pick<Offer, 'fileName' | 'mimeType'>, delivered: string): string {
  const type = (delivered.split(';', 1)[0] ?? '').trim()
  const ending = type === mimeType ? undefined : endings[type]
  return ending === undefined ? fileName : fileName.replace(/\.\w+$/, ending)
}
