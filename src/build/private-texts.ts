import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keptTexts } from 'virtual:kept-texts'
import { getPostImages } from 'virtual:make-images'
import { searchHandover } from 'virtual:search-handover'
import type { APIRoute, GetStaticPaths } from 'astro'
import crawlersFile from '../../content/crawlers.json'
import { shop } from '../config/site-context.ts'
import { toRedirects } from '../content/aliases.ts'
import { toByline } from '../content/authors.ts'
import { digestBundled, isBundled } from '../content/bundled-texts.ts'
import { checkComing } from '../content/coming-posts.ts'
import { crawlersSchema } from '../content/crawlers-schema.ts'
import { getWriting } from '../content/get-writing.ts'
import { toKeyOfList } from '../content/key-of-post.ts'
import { getPages } from '../content/pages.ts'
import { listPathsOf } from '../content/post-lists.ts'
import { getMarkdown } from '../content/post-texts.ts'
import { getPosts, getUnpublishedPosts, type Post, postPath } from '../content/posts.ts'
import { toExportedTexts, toPostsExport } from '../content/posts-export.ts'
import { exportedTextsSchema, type PostsExport } from '../content/posts-export-schema.ts'
import { allPosts } from '../content/published-posts.ts'
import { type PostWithHtml, renderPosts } from '../content/render-posts.ts'
import { getSkillFiles } from '../content/skills.ts'
import { sha256 } from '../core/sha256.ts'
import { toFeedHtml } from '../feeds/feed-html.ts'
import { toPodcastPost } from '../feeds/podcast/podcast-post.ts'
import { type SpokenPost, spokenPostSchema } from '../narration/episodes/posts-to-narrate.ts'
import { toSpokenUnits } from '../narration/text/spoken-text.ts'
import { buildFiles } from '../storage/build-folder.ts'
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

type Text = string | Uint8Array<ArrayBuffer>
/** Texts by the names of their files. Those of all posts are made when they are written: pages need not wait for them. */
type Texts = Readonly<Record<string, Text | (() => Promise<Text>)>>

async function makeTexts(published: readonly Post[], coming: readonly Post[]): Promise<Texts> {
  const [skillFiles, posts, pages] = await Promise.all([getSkillFiles(), renderPosts(), getPages()])
  const toMoved = (post: Post) => ({ path: postPath(post), aliases: post.data.aliases })
  const moved = [...published.map(toMoved), ...pages.map(({ id, data }) => ({ path: `/${id}`, aliases: data.aliases }))]
  checkComing({ texts: [...moved, ...coming.map(toMoved)], posts: allPosts([...coming, ...published]) })
  // Only to find faulty recordings before the posts come out.
  await Promise.all(coming.map(toSpokenPost))
  const withAudio = published.filter(({ data }) => data.audio)
  const recorded = new Map(await Promise.all(withAudio.map(async (post) => [post, await toSpokenPost(post)] as const)))
  const spoken = () =>
    Promise.all(published.map(async (post) => (recorded.get(post) ?? (await toSpokenPost(post))).spoken))
  return {
    'skills.json': JSON.stringify(skillFiles.map(({ skill }) => skill)),
    'bot-catalog.json': JSON.stringify(crawlersSchema.parse(crawlersFile)),
    'podcast-posts.json': async () => JSON.stringify(posts.map((post) => toPodcastPost(post, shop.baseUrl))),
    'posts-export.json': async () => JSON.stringify(await toExport(published, posts)),
    [redirectsFile]: JSON.stringify(toRedirects(moved)),
    [comingRedirectsFile]: JSON.stringify(toRedirects(coming.map(toMoved))),
    [comingListsFile]: JSON.stringify(
      Object.fromEntries(coming.map((post) => [encodeURI(postPath(post)), listPathsOf(post).map(encodeURI)])),
    ),
    'spoken-posts.json': async () => JSON.stringify(await spoken()),
    ...Object.fromEntries(
      [...recorded.values()].flatMap(({ recording }) => (recording ? [[recording.about.file, recording.mp3]] : [])),
    ),
    ...Object.fromEntries(skillFiles.map(({ skill, file }) => [`skill-${skill.slug}.md`, file])),
  }
}

/**
 * The texts of an earlier build that was made from the same posts; undefined if there is none, or one of its texts is
 * missing or damaged.
 *
 * @param posts the digest of all posts
 */
async function takeTexts(posts: string): Promise<Texts | undefined> {
  const same = keptTexts.findDigests(posts)
  if (!same) return undefined
  const { privateTexts } = buildFiles(same.folder)
  const texts: Record<string, Text> = {}
  for (const [name, digest] of Object.entries(same.digests)) {
    const file = join(privateTexts, name)
    const text = existsSync(file) ? await readFile(file) : undefined
    if (!text || sha256(text) !== digest) return undefined
    texts[name] = text
  }
  return texts
}

/** The digest of everything that the texts contain of posts; the ground key of a build covers the rest. */
async function digestPosts(published: readonly Post[], coming: readonly Post[]): Promise<string> {
  const scheduled = coming.map(({ id, filePath, digest }) => [id, filePath, digest])
  const shown = await toKeyOfList(published, { picturesOf: getPostImages })
  return sha256(JSON.stringify([await digestBundled(), shown, scheduled]))
}

export const getStaticPaths = (async () => {
  const [published, unpublished] = await Promise.all([getPosts(), getUnpublishedPosts()])
  const coming = unpublished.filter(({ data }) => !data.draft)
  const digest = await digestPosts(published, coming)
  const taken = await takeTexts(digest)
  const texts: Texts = taken ?? (await makeTexts(published, coming))
  const names = Object.keys(texts)
  const digests = new Map<string, string>()
  /** Keeps the digests for later builds once all texts are there. */
  const note = (name: string, text: Uint8Array): void => {
    digests.set(name, sha256(text))
    if (digests.size === names.length) keptTexts.keepDigests(digest, Object.fromEntries(digests))
  }
  searchHandover.give({ list: listSearchDocuments, isSame: taken !== undefined })
  return names.map((name) => ({ params: { name }, props: { text: texts[name], note } }))
}) satisfies GetStaticPaths

interface Props extends Record<string, unknown> {
  readonly text: Texts[string]
  readonly note: (name: string, text: Uint8Array) => void
}

export const GET: APIRoute<Props, { name: string }> = async ({ params: { name }, props: { text, note } }) => {
  const made = typeof text === 'function' ? await text() : text
  // Encoded once for both: these are the largest texts of a build.
  const bytes = Buffer.from(made)
  note(name, bytes)
  return new Response(bytes)
}
