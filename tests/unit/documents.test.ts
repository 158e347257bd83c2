import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const documents = [
  'AGENTS.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/day-two.md',
  'docs/glossary.md',
  'docs/go-live.md',
  'docs/your-first-product.md',
]
/** Paths of this repository in backticks; the folder of a made-up product is not one. */
const paths = /`((?:src|functions|game-server|tests|docs|content|deploy)\/[\w./*[\]-]*)`/g
const links = /\]\(((?!https?:)[^)#]+)(?:#[^)]*)?\)/g
const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts

describe.each(documents)('%s', (document) => {
  const text = readFileSync(document, 'utf8')

  it('names only files that exist', () => {
    const named = [...text.matchAll(paths)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(path) && globSync(path).length === 0)).toEqual([])
  })

  it('links only to files that exist', () => {
    const folder = document.includes('/') ? 'docs/' : ''
    expect([...text.matchAll(links)].map(([, link]) => folder + link).filter((link) => !existsSync(link))).toEqual([])
  })

  it('names only commands of package.json', () => {
    const named = [...text.matchAll(/`npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})
