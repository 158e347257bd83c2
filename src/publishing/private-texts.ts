import type { APIRoute, GetStaticPaths } from 'astro'
import crawlersFile from '../../content/crawlers.json'
import { toCrawlerCatalog } from '../../functions/bot-catalog/crawler-catalog.ts'
import { builtAt, shop } from '../site-context.ts'
import { toBundle } from './bundle.ts'
import { crawlersSchema } from './crawlers-schema.ts'
import { toPodcastPost } from './podcast/podcast-post.ts'
import { type RenderedPost, toPostsExport } from './posts-export.ts'
import { renderPosts } from './render-posts.ts'
import { getSkillFiles } from './skills.ts'

/**
 * The texts that are sold, written by `astro build` for the running server and never served as files: the route is
 * injected into builds only, and the build moves what it writes out of the public folder.
 */
export const prerender = true

const toSection = ({ slug, data, markdown }: RenderedPost) => ({
  title: data.title,
  url: `${shop.baseUrl}/posts/${slug}`,
  body: markdown,
})

export const getStaticPaths = (async () => {
  const [skillFiles, posts] = await Promise.all([getSkillFiles(), renderPosts()])
  const texts: Record<string, BodyInit> = {
    'skills.json': JSON.stringify(skillFiles.map(({ skill }) => skill)),
    'bot-catalog.json': JSON.stringify(toCrawlerCatalog(crawlersSchema.parse(crawlersFile))),
    'llms-full.txt': toBundle(posts.map(toSection)),
    'podcast-posts.json': JSON.stringify(posts.map((post) => toPodcastPost(post, shop.baseUrl))),
    'posts-export.json': JSON.stringify(toPostsExport(posts, shop.baseUrl, builtAt)),
    ...Object.fromEntries(skillFiles.map(({ skill, file }) => [`skill-${skill.slug}.md`, file])),
  }
  return Object.entries(texts).map(([name, text]) => ({ params: { name }, props: { text } }))
}) satisfies GetStaticPaths

export const GET: APIRoute<{ text: BodyInit }> = ({ props }) => new Response(props.text)
