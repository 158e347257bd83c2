import { defineCollection } from 'astro/content/config'
import { openCollections } from './collections.ts'
import { contentFolder } from './content/content-folder.ts'

/** The collections of the site in the form in which Astro wants them. */
export async function defineCollections() {
  const { posts, pages, skills } = await openCollections()
  return {
    posts: defineCollection({ loader: contentFolder(posts), schema: posts.schema }),
    pages: defineCollection({ loader: contentFolder(pages), schema: pages.schema }),
    skills: defineCollection({ loader: contentFolder(skills), schema: skills.schema }),
  }
}
