import { html, toHtmlResponse } from '../../src/core/html.ts'
import { frame, type Place } from './frame.ts'

/** The 404 response for browsers. */
export const answerNotFound = (place: Place): Response => toHtmlResponse(notFoundPage(place), 404)

const notFoundPage = (place: Place) =>
  frame(place, {
    title: 'A dead end',
    description: 'There is nothing at this address.',
    main: html`<h1>A dead end</h1>
<p class="lead">You search the wall for a secret door. There is none.</p>
<div class="choices"><a class="button first" href="/play.html">Go down instead</a><a class="button" href="/">Back to the entrance</a></div>`,
  })
