import { defineCollection } from 'astro:content'
import { products } from 'virtual:products'
import { toCollections } from './collections.ts'
import { contentFolder } from './content/content-folder.ts'

const { posts, pages, skills } = toCollections(products)

export const collections = {
  posts: defineCollection({ loader: contentFolder(posts), schema: posts.schema }),
  pages: defineCollection({ loader: contentFolder(pages), schema: pages.schema }),
  skills: defineCollection({ loader: contentFolder(skills), schema: skills.schema }),
}
