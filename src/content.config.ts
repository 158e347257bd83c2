import { defineCollection } from 'astro:content'
import { contentFolder } from './content/content-folder.ts'
import { missingPicture } from './content/missing-picture.ts'
import { pageSchema } from './content/page-schema.ts'
import { postSchema } from './content/post-schema.ts'
import { productSlugs } from './content/product-slugs.ts'
import { skillFrontMatterSchema } from './content/skill-schema.ts'
import { findWritingFaults } from './content/writing-faults.ts'

const products = productSlugs('./content/skills')
const findFaults = (source: string, file: string) => findWritingFaults(source, { file, products })

export const collections = {
  posts: defineCollection({
    loader: contentFolder({
      base: './content/posts',
      pattern: '*.mdx',
      schema: postSchema,
      check: missingPicture,
      findFaults,
    }),
    schema: postSchema,
  }),
  pages: defineCollection({
    loader: contentFolder({ base: './content/pages', pattern: '*.mdx', schema: pageSchema, findFaults }),
    schema: pageSchema,
  }),
  skills: defineCollection({
    loader: contentFolder({
      base: './content/skills',
      pattern: '*/SKILL.md',
      schema: skillFrontMatterSchema,
      toId: (entry) => entry.replace(/\/SKILL\.md$/, ''),
      check: ({ name }, folder) =>
        name === folder ? undefined : `name must equal the folder, ${folder}, but is ${name}`,
    }),
    schema: skillFrontMatterSchema,
  }),
}
