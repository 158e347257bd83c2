import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drawFolders } from '../../src/commands/architecture/draw-folders.ts'
import { findFaults } from '../../src/commands/architecture/find-faults.ts'
import { readImports, toFolderGraph } from '../../src/commands/architecture/folder-graph.ts'

const layers = [
  { title: 'Pages', about: 'seen', folders: ['src/pages', 'game-server/host'] },
  { title: 'Products', about: 'sold', folders: ['functions/*'] },
  { title: 'Core', about: 'pure', folders: ['src/core', 'src/money'] },
]

let root: string
const write = (name: string, content: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
}
const faults = () => findFaults(readImports(root), layers)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'farthing-layers-'))
  write('src/pages/index.astro', `---\nimport { qr } from '../../functions/qr/offer.ts'\n---\n<p>{qr}</p>\n`)
  write('functions/qr/offer.ts', `import { usd } from '../../src/core/usd.ts'\nexport const qr = usd\n`)
  write('src/core/usd.ts', 'export const usd = 1\n')
  write('src/money/price.ts', `export type { usd } from '../core/usd.ts'\n`)
  write('game-server/host/main.ts', `await import('../../src/money/price.ts')\n`)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the layers of the source folders', () => {
  it('are respected when every import points down', () => expect(faults()).toEqual([]))

  it('refuse an import that points up, even in an Astro page', () => {
    write('src/core/seller.ts', `import { qr } from '../../functions/qr/offer.ts'\nexport const seller = qr\n`)
    write('src/money/shop.ts', `import shop from '../pages/shop.astro'\nexport { shop }\n`)
    write('src/pages/shop.astro', '<script>\nimport "../money/price.ts"\n</script>\n')
    expect(faults()).toEqual(
      expect.arrayContaining([
        'src/core/seller.ts imports functions/qr/offer.ts, which lies in a layer above it',
        'src/money/shop.ts imports src/pages/shop.astro, which lies in a layer above it',
        'src/money, src/pages import each other in a ring',
      ]),
    )
  })

  it('refuse a cycle between folders, even of type imports or within one folder', () => {
    write('src/core/total.ts', `import type { price } from '../money/price.ts'\nexport type Total = price\n`)
    write('functions/qr/read/a.ts', `import '../write/b.ts'\n`)
    write('functions/qr/write/b.ts', `import type {} from '../read/a.ts'\n`)
    expect(faults()).toEqual([
      'src/core, src/money import each other in a ring',
      'functions/qr/read, functions/qr/write import each other in a ring',
    ])
  })

  it('have to include a new folder', () => {
    write('src/novel/plot.ts', `import '../core/usd.ts'\n`)
    expect(faults()).toEqual(['src/novel is in no layer of src/commands/architecture/layers.ts'])
  })

  it('are drawn without arrows that follow from others', () => {
    write('src/pages/prices.ts', `import '../core/usd.ts'\nimport '../money/price.ts'\n`)
    const arrows = drawFolders(toFolderGraph(readImports(root)), layers).match(/\w+ --> \w+/g)
    expect(arrows).toEqual([
      'functions_qr --> src_core',
      'game_server_host --> src_money',
      'src_money --> src_core',
      'src_pages --> functions_qr',
      'src_pages --> src_money',
    ])
  })
})
