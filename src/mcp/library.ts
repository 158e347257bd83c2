import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A post or a page about a product, as it is listed. */
export interface Reading {
  readonly slug: string
  readonly title: string
  readonly excerpt: string
}

/** The texts of a build that cost nothing. */
export interface Library {
  /** Newest first. */
  readonly posts: readonly Reading[]
  /** The skills that are sold; what can be read of them is free. */
  readonly skills: readonly Reading[]
  /** A document by its path as requests write it, such as `/posts/gr%C3%B6%C3%9Fe.md`; undefined when the build has none. */
  readonly find: (path: string) => Promise<string | undefined>
}

interface Options extends Pick<Library, 'posts' | 'skills'> {
  /** Folder of the files. */
  readonly client: string
  /** Every path that is served, with its file: what is not in it is not read. */
  readonly manifest: Readonly<Record<string, { readonly file: string }>>
}

/** Opens what the site serves as files, for those who read it through tools. */
export const makeLibrary = ({ client, manifest, posts, skills }: Options): Library => ({
  posts,
  skills,
  async find(path) {
    const entry = Object.hasOwn(manifest, path) ? manifest[path] : undefined
    return entry && readFile(join(client, entry.file), 'utf8')
  },
})
