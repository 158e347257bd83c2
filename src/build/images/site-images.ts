import { join } from 'node:path'
import site from '../../../site.config.ts'
import type { PageImage } from '../../content/post-images.ts'
import { makeIcons } from './icons.ts'
import type { KeptFile, KeptImages } from './image-cache.ts'
import type { MadeImages } from './made-images.ts'
import { assetFolder, placeFile, toPageImage } from './page-image.ts'

/** The pictures of the site as a whole. */
export interface SiteImages {
  /** For previews of links to pages that have no card of their own. */
  readonly card: PageImage
  /** Of the podcast: 3000 pixels square, as directories ask, under a name of its own at the root. */
  readonly artwork: PageImage
}

const cardSize = { width: 1200, height: 630, type: 'jpg', quality: 82 } as const
const artworkEdition = { purpose: 'podcast-artwork', width: 3000, height: 3000, type: 'jpg', quality: 82 } as const

/** The pictures of a build that belong to no post. */
export function openSitePictures({ getCard, getImages }: MadeImages) {
  const cards = new Map<string, Promise<KeptImages>>()
  const getArtwork = () => getCard({ title: site.name, edition: artworkEdition })
  const getIcons = () =>
    getImages(['icons', site.name, site.accent], async () => ({ alt: '', files: await makeIcons() }))

  /** A card that is all title, for previews of links; one per purpose. */
  async function getTitleCard(purpose: string, title: string): Promise<PageImage> {
    const lettering = { title, imprint: site.name }
    const made = getCard({ title, edition: { purpose: `${purpose}-card`, ...cardSize, lettering } })
    cards.set(purpose, made)
    return toPageImage(only(await made), title)
  }

  return {
    getTitleCard,
    /** Made before any page, because the running server names them too. */
    async getSiteImages(): Promise<SiteImages> {
      const [card, made] = await Promise.all([
        getTitleCard('site', `${site.name}: ${site.tagline.charAt(0).toLowerCase()}${site.tagline.slice(1)}`),
        getArtwork(),
      ])
      const artwork = toPageImage(only(made), `${site.name}, the cover of the podcast`)
      return { card, artwork: { ...artwork, src: `/${only(made).name}` } }
    },
    /** The file behind an icon's name, for the development server. */
    async findIcon(name: string): Promise<string | undefined> {
      const { files } = await getIcons()
      return files.find((file) => toIconName(file.name) === name)?.path
    },
    /** Puts cards, artwork and icons among the client files. */
    async write(client: string): Promise<void> {
      for (const made of cards.values()) {
        const { path, name } = only(await made)
        await placeFile(path, join(client, assetFolder, name))
      }
      const artwork = only(await getArtwork())
      await placeFile(artwork.path, join(client, artwork.name))
      const { files } = await getIcons()
      await Promise.all(files.map(({ path, name }) => placeFile(path, join(client, toIconName(name)))))
    },
  }
}

/** Browsers and home screens ask for icons by names that never change. */
const toIconName = (name: string): string => name.replace(/-[0-9a-f]{10}(?=\.\w+$)/, '')

function only({ files: [file] }: KeptImages): KeptFile {
  if (!file) throw new Error('a picture is missing; delete the folder .cache/images')
  return file
}
