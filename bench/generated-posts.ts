import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const words =
  'press ink paper coin price letter reader river mountain garden city night market machine signal ledger receipt promise bell harbour winter glass thread window street engine story measure weather'.split(
    ' ',
  )

/** Pseudo-random numbers that are the same in every run. */
function makeNumbers(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A post of about 600 words with headings, a list, a quotation and code; the plain markdown that every builder takes. */
export function generatedPost(number: number, revision = 0): string {
  const next = makeNumbers(number + 1)
  const word = () => words[next(words.length)] ?? 'ink'
  const sentence = (length: number) => `${capital(Array.from({ length }, word).join(' '))}.`
  const paragraph = () => Array.from({ length: 5 }, () => sentence(8 + next(8))).join(' ')
  const section = () => `## ${capital(word())} and ${word()}\n\n${paragraph()}\n\n${paragraph()}`
  // Two hours apart, so that even the last of 20,000 posts is dated in the past.
  const publishedAt = new Date(Date.UTC(2020, 0, 1) + number * 2 * 60 * 60 * 1000).toISOString()
  return `---
title: "${capital(word())} ${word()} and ${word()}, number ${number}${revision > 0 ? `, revised ${revision} times` : ''}"
excerpt: "${sentence(12)}"
publishedAt: ${publishedAt}
tags: [${word()}, ${word()}]
---

${paragraph()}

${section()}

- ${sentence(6)}
- ${sentence(6)}

${section()}

\`\`\`js
const ${word()}Price = ${next(1000)}
console.log(${word()}Price)
\`\`\`

${section()}

> ${sentence(14)}

${paragraph()}
`
}

/** Empties a folder and writes `count` posts into it. */
export function writePosts(folder: string, count: number, extension = 'mdx'): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (let number = 0; number < count; number += 1) {
    writeFileSync(join(folder, `post-${number}.${extension}`), generatedPost(number))
  }
}
