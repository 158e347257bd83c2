import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { alsoTaken } from '../config/other-networks.ts'
import { toDurationText } from '../core/durations.ts'
import { toLogText } from '../core/log.ts'
import { Problem, toProblemResponse } from '../core/problem.ts'
import { toPaidOffers } from '../discovery/paid-offers.ts'
import { makeHeardPosts } from '../feeds/podcast/heard-posts.ts'
import { requestIdIn } from '../http/request-id.ts'
import type { StaticFile } from '../http/static/static-file.ts'
import type { Make } from '../offers/make.ts'
import type { Offer } from '../offers/offer.ts'
import { toOffers } from '../offers/products.ts'
import { skillSchema } from '../offers/skill.ts'
import type { Handler } from '../payments/gate.ts'
import { openSearchIndex } from '../search/open-search-index.ts'
import { findStart } from '../search/transcripts/find-start.ts'
import { makeTranscriptSearch } from '../search/transcripts/search-transcripts.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { readRedirects } from '../storage/redirects-file.ts'
import { type AstroHandler, loadHandler } from './astro-handler.ts'
import { countUses } from './count-uses.ts'
import { makeFront } from './front.ts'
import { openMakes } from './open-engines.ts'
import { openMcp } from './open-mcp.ts'
import type { Press } from './open-press.ts'
import { makePreviewRoute } from './preview-route.ts'
import type { Services } from './services.ts'

interface EditionOptions {
  readonly build: Build
  /** Files of earlier builds that pages still open in browsers request. */
  readonly earlier?: ReadonlyMap<string, StaticFile>
  /** Renders pages instead of the code of the build. */
  readonly handler?: AstroHandler | undefined
}

/**
 * Opens what belongs to one build: its files, its pages, its search index, and the payment gate of each product. A
 * purchase that begins under an edition ends under it, with its prices and texts, whatever is published meanwhile.
 *
 * @throws Error when a part of the build is missing or damaged; nothing stays open then
 */
export async function openEdition(press: Press, { build, earlier, handler }: EditionOptions) {
  const { config, payments, narration, engines, crawlerFacts, log } = press
  const { episodes } = narration
  const { privateTexts, pricePages, search: searchFile, previews } = buildFiles(build.folder)
  const skills = readSkills(privateTexts)
  const offers = toOffers(press.products, skills)
  const uses = countUses()
  const { baseUrl } = config
  const { products } = press
  const report = (error: unknown) => log('server.error', { error: toLogText(error) })
  const closes: (() => void | Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const part of closes.splice(0).toReversed()) await part()
  }
  try {
    const pages = handler ? { handler, unload: () => {} } : loadHandler(build)
    closes.push(pages.unload)
    const search = openSearchIndex(searchFile, {
      narrationOf(slug) {
        const episode = episodes.find(slug)
        return (
          episode && {
            duration: toDurationText(episode.durationMs),
            findStart: (terms) => findStart(episode.cues, terms),
          }
        )
      },
    })
    closes.push(search.close)
    const texts = { privateFolder: privateTexts, episodes, crawlerFacts, report }
    const makes = await openMakes({ ...texts, engines, baseUrl, products, skills })
    closes.push(makes.close)
    const findMake = (offer: Offer): Make | undefined => {
      const make = makes.byOffer.get(offer.id)
      return make && press.wrapMake(make)
    }
    const handlers = new Map<string, Handler>(
      offers.map((offer) => {
        const gate = payments.gate(offer, findMake(offer), { page: readPricePage(pricePages, offer) })
        // Counted as a use, because a purchase continues after its buyer has left.
        const handle = (...asked: Parameters<Handler>) => uses.during(gate(...asked))
        const plainly: Handler['plainly'] = (asked) => uses.during(gate.plainly(asked))
        return [offer.path, Object.assign(handle, { plainly })]
      }),
    )
    const problem: Services['problem'] = (kind, options) =>
      toProblemResponse(new Problem(kind, options), { baseUrl, requestId: crypto.randomUUID() })
    const paidOffers = toPaidOffers(offers, { ...config, alsoAccepts: alsoTaken(config) }, build.facts.createdAt)
    const shown: Omit<Services, 'mcp'> = {
      paid: (path) =>
        handlers.get(path) ??
        (async (request, caller) =>
          (await uses.during(payments.former(request, caller))) ??
          toProblemResponse(new Problem('not-found'), { baseUrl, requestId: requestIdIn(request) })),
      paidOffers: () => paidOffers,
      receipt: payments.receipts.find,
      statistics: press.statistics.read,
      search: search.search,
      episodes,
      builtAt: build.facts.createdAt,
      heardPosts: makeHeardPosts(privateTexts, episodes),
      voices: () => engines.speech.list,
      voiceSamples: engines.speech.samples,
      searchTranscripts: makeTranscriptSearch(episodes, baseUrl, search.widen),
      status: press.status,
      newsletter: press.newsletter,
      library: press.openLibrary({ offers, findMake }),
      problem,
    }
    const { mcp, answerPlainly } = openMcp({
      config,
      build,
      offers,
      services: shown,
      sell(offer, tool) {
        const gate = payments.toolGate(offer, tool, findMake(offer))
        return (call) => uses.during(gate(call))
      },
      terms: payments.terms,
      readPurchase: payments.readPurchase,
      operator: press.operator,
      report,
    })
    const front = makeFront({
      build,
      handler: pages.handler,
      services: { ...shown, mcp },
      answerPlainly,
      sellPlainly: (path) => handlers.get(path)?.plainly,
      redirects: readRedirects(privateTexts),
      quotes: payments.quoteTable(offers),
      limiter: press.limiter,
      isBlocked: press.isBlocked,
      routes: [...press.routes, makePreviewRoute({ folder: previews, secret: press.previewSecret })],
      clientAddress: press.clientAddress,
      kept: press.keptFiles,
      mentions: press.mentions,
      pictures: press.pictures.store,
      log,
      signal: press.stopping,
      ...(earlier && { earlier }),
    })
    return {
      build,
      offers,
      lasting: front.lasting,
      /** Handles a request; the edition counts as in use until the response is sent. */
      answer(...[req, res]: Parameters<typeof front.answer>): void {
        res.once('close', uses.begin())
        front.answer(req, res)
      },
      /** Resolves when no request or purchase is under way. None may begin after this is called. */
      idle: uses.idle,
      /** Closes the search index, and what its products were made with. */
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export type Edition = Awaited<ReturnType<typeof openEdition>>

/** The page for a person who opens a paid address in a browser; a build by `npm run dev` has none. */
function readPricePage(folder: string, { slug }: Offer): string | undefined {
  const file = join(folder, slug, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const readSkills = (privateFolder: string) =>
  z.array(skillSchema).parse(JSON.parse(readFileSync(join(privateFolder, 'skills.json'), 'utf8')))
