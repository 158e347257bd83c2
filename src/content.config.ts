import { defineCollection } from 'astro:content'
import { contentFolder } from './publishing/content-folder.ts'
import { missingPicture } from './publishing/missing-picture.ts'
import { pageSchema } from './publishing/page-schema.ts'
import { postSchema } from './publishing/post-schema.ts'
import { productSlugs } from './publishing/product-slugs.ts'
import { skillFrontMatterSchema } from './publishing/skill-schema.ts'
import { findWritingFaults } from './publishing/writing-faults.ts'

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
