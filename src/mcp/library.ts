import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A post or a product page, as an entry of a list. */
export interface Reading {
  readonly slug: string
  readonly title: string
  readonly excerpt: string
}

/** The free texts of a build. */
export interface Library {
  /** Newest first. */
  readonly posts: readonly Reading[]
  /** The skills for sale, whose previews are free. */
  readonly skills: readonly Reading[]
  /**
   * Reads a document by its path as in requests, such as `/posts/gr%C3%B6%C3%9Fe.md`; undefined when the build has
   * none.
   */
  readonly find: (path: string) => Promise<string | undefined>
}

interface Options extends Pick<Library, 'posts' | 'skills'> {
  /** The folder with the files. */
  readonly client: string
  /** All served paths with their files; nothing else is read. */
  readonly manifest: Readonly<Record<string, { readonly file: string }>>
}

/** Opens the files that the site serves, for reading through tools. */
export const makeLibrary = ({ client, manifest, posts, skills }: Options): Library => ({
  posts,
  skills,
  async find(path) {
    const entry = Object.hasOwn(manifest, path) ? manifest[path] : undefined
    return entry && readFile(join(client, entry.file), 'utf8')
  },
})
