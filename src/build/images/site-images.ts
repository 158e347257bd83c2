import { join } from 'node:path'
import sharp from 'sharp'
import site from '../../../site.config.ts'
import type { PageImage } from '../../content/post-images.ts'
import { layOut } from '../../images/covers/lettering.ts'
import type { KeptFile, KeptImages, MadeFile } from '../../images/image-cache.ts'
import type { MadeImages } from './made-images.ts'
import { assetFolder, placeFile, toPageImage } from './page-image.ts'

/**
 * A coin with the first letter of the site's name, drawn as a path so that it needs no font of the reader's machine.
 */
async function drawCoin(radius: number, background: string): Promise<string> {
  const letter = await layOut([...site.name][0] ?? '', radius * 1.2, 32, '#fff', 'center')
  const top = letter ? 16 - letter.height / 2 : 0
  const glyph = letter ? `<g transform="translate(0 ${top.toFixed(2)})">${letter.paths}</g>` : ''
  const ring = `<circle cx="16" cy="16" r="${radius * 0.78}" fill="none" stroke="#fff" stroke-opacity=".45"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="512" height="512">${background}${ring}${glyph}</svg>`
}

const { light, dark } = site.accent
const disc = `<circle class="coin" cx="16" cy="16" r="16" fill="${light}"/>`
const adapted = `<style>@media(prefers-color-scheme:dark){.coin{fill:${dark}}path{fill:#161412}}</style>${disc}`
/** Home screens cut their own corners out of a full square, and keep the middle. */
const square = `<rect width="32" height="32" fill="${light}"/>`

/** An ICO file that holds one PNG of 32 pixels, as every browser since 2007 reads it. */
function toIco(png: Uint8Array): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(32, 6)
  head.writeUInt8(32, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/** Icons for browsers, home screens and launchers. */
async function makeIcons(): Promise<MadeFile[]> {
  const [svg, coin, tile] = await Promise.all([drawCoin(16, adapted), drawCoin(16, disc), drawCoin(12, square)])
  const png = (drawing: string, side: number) =>
    sharp(Buffer.from(drawing)).resize(side).png({ compressionLevel: 9 }).toBuffer()
  const icon = (purpose: string, type: MadeFile['type'], side: number, bytes: Uint8Array) =>
    ({ purpose, type, bytes, width: side, height: side }) satisfies MadeFile
  return [
    icon('favicon', 'svg', 32, Buffer.from(svg)),
    icon('favicon', 'ico', 32, toIco(await png(coin, 32))),
    icon('apple-touch-icon', 'png', 180, await png(tile, 180)),
    icon('icon-192', 'png', 192, await png(tile, 192)),
    icon('icon-512', 'png', 512, await png(tile, 512)),
  ]
}

/** The pictures of the site as a whole. */
export interface SiteImages {
  /** For previews of links to pages that have no card of their own. */
  readonly card: PageImage
  /** The podcast's artwork: 3000 pixels square, as directories require, under a name of its own at the root. */
  readonly artwork: PageImage
}

const cardSize = { width: 1200, height: 630, type: 'jpg', quality: 82 } as const
const artworkEdition = { purpose: 'podcast-artwork', width: 3000, height: 3000, type: 'jpg', quality: 82 } as const

const artworkAlt = `${site.name}, the cover of the podcast`

/** The pictures of a build that belong to no post. */
export function openSitePictures({ getCard, getImages }: MadeImages) {
  const cards = new Map<string, Promise<KeptImages>>()
  const getArtwork = () => getCard({ title: site.name, edition: artworkEdition })
  const getIcons = () =>
    getImages(['icons', site.name, site.accent], async () => ({ alt: '', files: await makeIcons() }))

  /** A card that shows only a title, for previews of links; one per purpose. */
  async function getTitleCard(purpose: string, title: string): Promise<PageImage> {
    const lettering = { title, imprint: site.name }
    const made = getCard({ title, edition: { purpose: `${purpose}-card`, ...cardSize, lettering } })
    cards.set(purpose, made)
    return toPageImage(only(await made), title)
  }

  /** The podcast's artwork in the size that its page shows. */
  async function getShownArtwork(): Promise<PageImage> {
    const purpose = 'podcast-shown'
    const edition = { purpose, width: 480, height: 480, type: 'jpg', quality: 82 } as const
    const made = getCard({ title: site.name, edition })
    cards.set(purpose, made)
    return toPageImage(only(await made), artworkAlt)
  }

  return {
    getTitleCard,
    getShownArtwork,
    /** Made before any page, because the code of the running server names them, too. */
    async getSiteImages(): Promise<SiteImages> {
      const [card, made] = await Promise.all([
        getTitleCard('site', `${site.name}: ${site.tagline.charAt(0).toLowerCase()}${site.tagline.slice(1)}`),
        getArtwork(),
      ])
      const artwork = toPageImage(only(made), artworkAlt)
      return { card, artwork: { ...artwork, src: `/${only(made).name}` } }
    },
    /** The file behind an icon's name, for the development server. */
    async findIcon(name: string): Promise<string | undefined> {
      const { files } = await getIcons()
      return files.find((file) => toIconName(file.name) === name)?.path
    },
    /** The file names of the cards that pages have requested. */
    listNames: async (): Promise<string[]> => (await Promise.all(cards.values())).map((made) => only(made).name),
    /** Puts cards, artwork and icons among the client files. */
    async write(client: string): Promise<void> {
      for (const made of cards.values()) {
        const { path, name } = only(await made)
        placeFile(path, join(client, assetFolder, name))
      }
      const artwork = only(await getArtwork())
      placeFile(artwork.path, join(client, artwork.name))
      const { files } = await getIcons()
      for (const { path, name } of files) placeFile(path, join(client, toIconName(name)))
    },
  }
}

/** Browsers and home screens request icons by fixed names, so the hash is removed. */
const toIconName = (name: string): string => name.replace(/-[0-9a-f]{10}(?=\.\w+$)/, '')

function only({ files: [file] }: KeptImages): KeptFile {
  if (!file) throw new Error('a picture is missing; delete the folder .cache/images')
  return file
}
