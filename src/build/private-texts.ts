import { keptTexts } from 'virtual:kept-texts'
import { searchHandover } from 'virtual:search-handover'
import type { APIRoute, GetStaticPaths } from 'astro'
import crawlersFile from '../../content/crawlers.json'
import { shop } from '../config/site-context.ts'
import { toRedirects } from '../content/aliases.ts'
import { toByline } from '../content/authors.ts'
import { isBundled } from '../content/bundled-texts.ts'
import { checkComing } from '../content/coming-posts.ts'
import { crawlersSchema } from '../content/crawlers-schema.ts'
import { getWriting } from '../content/get-writing.ts'
import { getPages } from '../content/pages.ts'
import { listPathsOf } from '../content/post-lists.ts'
import { getMarkdown } from '../content/post-texts.ts'
import { getPosts, getUnpublishedPosts, type Post, postPath } from '../content/posts.ts'
import { toExportedTexts, toPostsExport } from '../content/posts-export.ts'
import { exportedTextsSchema, type PostsExport } from '../content/posts-export-schema.ts'
import { allPosts } from '../content/published-posts.ts'
import { type PostWithHtml, renderPosts } from '../content/render-posts.ts'
import { getSkillFiles } from '../content/skills.ts'
import { toFeedHtml } from '../feeds/feed-html.ts'
import { toPodcastPost } from '../feeds/podcast/podcast-post.ts'
import { type SpokenPost, spokenPostSchema } from '../narration/episodes/posts-to-narrate.ts'
import { toSpokenUnits } from '../narration/text/spoken-text.ts'
import { comingListsFile } from '../storage/coming-lists-file.ts'
import { comingRedirectsFile, redirectsFile } from '../storage/redirects-file.ts'
import { type RecordedPost, readRecordedPost } from './recorded-post.ts'
import { listSearchDocuments } from './search-documents.ts'

/**
 * The texts that are sold, written by `astro build` for the running server and never served as files: the route is
 * injected into builds only, and the build moves what it writes out of the public folder.
 */
export const prerender = true

const exportedTexts = keptTexts.openKind({
  name: 'exported',
  schema: exportedTextsSchema,
  // A post with components may show the content of other files, so its text alone does not determine the result.
  isKept: (post) => !isBundled(post),
})

async function toExport(published: readonly Post[], rendered: readonly PostWithHtml[]): Promise<PostsExport> {
  const sources = new Map(published.map((post) => [post.id, post]))
  const posts = rendered.map(async (post) => {
    const make = async () => {
      const html = toFeedHtml(await post.getHtml(), encodeURI(`${shop.baseUrl}/posts/${post.slug}`))
      return toExportedTexts({ ...post, html }, shop.baseUrl)
    }
    return { ...post, texts: await exportedTexts(sources.get(post.slug) ?? {}, make) }
  })
  return toPostsExport(await Promise.all(posts), shop.baseUrl)
}

const spokenUnits = keptTexts.openKind({ name: 'spoken', schema: spokenPostSchema.shape.units })

async function toSpokenPost(post: Post): Promise<{ spoken: SpokenPost; recording?: RecordedPost }> {
  const { title, language } = post.data
  const author = toByline(post.data)
  const units = await spokenUnits(post, async () => toSpokenUnits(await getWriting(post), { title }))
  const spoken = { slug: post.id, title, author, language, contentMarkdown: await getMarkdown(post), units }
  const recording = await readRecordedPost({ filePath: post.filePath, audio: post.data.audio, units })
  return recording ? { spoken: { ...spoken, recording: recording.about }, recording } : { spoken }
}

export const getStaticPaths = (async () => {
  const [skillFiles, posts, published, unpublished, pages] = await Promise.all([
    getSkillFiles(),
    renderPosts(),
    getPosts(),
    getUnpublishedPosts(),
    getPages(),
  ])
  const toMoved = (post: Post) => ({ path: postPath(post), aliases: post.data.aliases })
  const moved = [...published.map(toMoved), ...pages.map(({ id, data }) => ({ path: `/${id}`, aliases: data.aliases }))]
  const coming = unpublished.filter(({ data }) => !data.draft)
  checkComing({ texts: [...moved, ...coming.map(toMoved)], posts: allPosts([...coming, ...published]) })
  // Only to find faulty recordings before the posts come out.
  await Promise.all(coming.map(toSpokenPost))
  const heard = await Promise.all(published.map(toSpokenPost))
  searchHandover.give(await listSearchDocuments())
  const texts: Record<string, BodyInit> = {
    'skills.json': JSON.stringify(skillFiles.map(({ skill }) => skill)),
    'bot-catalog.json': JSON.stringify(crawlersSchema.parse(crawlersFile)),
    'podcast-posts.json': JSON.stringify(posts.map((post) => toPodcastPost(post, shop.baseUrl))),
    'posts-export.json': JSON.stringify(await toExport(published, posts)),
    [redirectsFile]: JSON.stringify(toRedirects(moved)),
    [comingRedirectsFile]: JSON.stringify(toRedirects(coming.map(toMoved))),
    [comingListsFile]: JSON.stringify(
      Object.fromEntries(coming.map((post) => [encodeURI(postPath(post)), listPathsOf(post).map(encodeURI)])),
    ),
    'spoken-posts.json': JSON.stringify(heard.map(({ spoken }) => spoken)),
    ...Object.fromEntries(heard.flatMap(({ recording }) => (recording ? [[recording.about.file, recording.mp3]] : []))),
    ...Object.fromEntries(skillFiles.map(({ skill, file }) => [`skill-${skill.slug}.md`, file])),
  }
  return Object.entries(texts).map(([name, text]) => ({ params: { name }, props: { text } }))
}) satisfies GetStaticPaths

export const GET: APIRoute<{ text: BodyInit }> = ({ props }) => new Response(props.text)
