import { type CollectionEntry, getCollection } from 'astro:content'
import { builtAt } from '../config/site-context.ts'
import { withCoverLooks } from './cover-looks.ts'
import { publishedPosts } from './published-posts.ts'

/** A published post, at build time. */
export type Post = CollectionEntry<'posts'>

/** The published posts, newest first. Build-time only: a running server must not carry the collection. */
export const getPosts = async (): Promise<Post[]> =>
  withCoverLooks(publishedPosts(await getCollection('posts'), builtAt))

/** Where a post is read. */
export const postPath = ({ id }: Pick<Post, 'id'>): `/${string}` => `/posts/${id}`
