import type { DocumentTask } from '../../functions/llms-pack/reading/document.ts'
import { readDocument } from '../../functions/llms-pack/reading/read-document.ts'
import { factsRoom, toSection } from '../../functions/llms-pack/to-section.ts'
import { toBundle } from '../../src/content/bundle.ts'
import { blog, newspaper } from './saved-pages/publications.ts'
import { encyclopedia } from './saved-pages/references.ts'
import { topics } from './saved-pages/topics.ts'

const [harbour, chicory, second, bridge] = topics

/** The packer's output for three pages of a fictitious site, and for one that is missing. */
export function makeSampleBundle(): string {
  if (!harbour || !chicory || !second || !bridge) throw new Error('the topics of the sample are missing')
  const others = [chicory, second]
  const read = (url: string, html: string) => {
    const task: DocumentTask = {
      ...{ url, contentType: 'text/html', body: Buffer.from(html), isCut: false },
      maxChars: 1000 - factsRoom,
    }
    const document = readDocument(task)
    if (document.is === 'unread') throw new Error(`${url} was not read: ${document.reason}`)
    return toSection(url, { ...document, fetchedAt: new Date('2026-11-20T09:00:00Z') })
  }
  return toBundle([
    read('https://post.example/harbour-clock', newspaper(harbour, others).html),
    read('https://shed.example/chicory', blog(chicory, others).html),
    { url: 'https://shed.example/moved-away', title: '', body: '[not fetched: the site answered 404]' },
    read('https://commonplace.example/singing-bridge', encyclopedia(bridge, others).html),
  ])
}
