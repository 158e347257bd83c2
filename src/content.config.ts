import { defineCollection } from 'astro:content'
import { contentFolder } from './publishing/content-folder.ts'
import { missingPicture } from './publishing/missing-picture.ts'
import { pageSchema } from './publishing/page-schema.ts'
import { postSchema } from './publishing/post-schema.ts'
import { skillFrontMatterSchema } from './publishing/skill-schema.ts'

export const collections = {
  posts: defineCollection({
    loader: contentFolder({ base: './content/posts', pattern: '*.mdx', schema: postSchema, check: missingPicture }),
    schema: postSchema,
  }),
  pages: defineCollection({
    loader: contentFolder({ base: './content/pages', pattern: '*.mdx', schema: pageSchema }),
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
