import { boilerplate as f } from './boilerplate.ts'
import type { Template } from './saved-page.ts'
import { all, anchors, items, paragraphs, textOf } from './saved-page.ts'

const consent = `<div id="onetrust-banner" class="cookie-consent" role="dialog" aria-modal="true"><p>${f.cookies}</p>${f.cookieButtons.map((text) => `<button>${text}</button>`).join('')}</div>`

/** A modern newspaper: everything has a semantic name, and there is much around the text. */
export const newspaper: Template = (topic) => ({
  main: textOf(topic, 'title', 'lead', 'paragraphs'),
  chrome: [...f.menu, f.cookies, f.newsletter, ...f.related, f.advert, ...f.comments, f.footer, ...f.legalLinks],
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${topic.title} | The Tidewater Post</title>
<script type="application/ld+json">{"@type":"NewsArticle","headline":"${f.advert}"}</script><style>.ad{color:red}</style></head>
<body class="single has-sidebar"><a class="skip-link" href="#main">${f.skip}</a>
<header class="site-header"><a href="/"><img src="/logo.svg" alt="The Tidewater Post"></a><nav><ul>${anchors(f.menu)}</ul></nav></header>
<main id="main"><article class="article type-news category-advertising"><header><h1>${topic.title}</h1><p class="standfirst">${topic.lead}</p>
<p class="byline">By <a href="/by">${topic.author}</a> <time>${topic.date}</time></p></header>
<figure><img src="/a.jpg" alt=""></figure>
${paragraphs(topic.paragraphs.slice(0, 2))}<div class="ad ad-slot"><p>${f.advert}</p></div>
${paragraphs(topic.paragraphs.slice(2, 4))}<aside class="newsletter-signup"><h3>${f.newsletter}</h3><form><input type="email"><button>Send</button></form></aside>
${paragraphs(topic.paragraphs.slice(4))}<footer class="article-footer"><ul class="share">${anchors(f.share)}</ul></footer></article>
<section class="related-stories"><h2>More of this</h2><ul>${anchors(f.related)}</ul></section>
<section id="comments"><h2>What readers say</h2>${f.comments.map((text) => `<div class="comment"><p>${text}</p></div>`).join('')}</section></main>
<footer><p>${f.footer}</p><ul>${anchors(f.legalLinks)}</ul></footer>${consent}<script>track()</script></body></html>`,
})

/** A blog with the usual theme: classes in place of semantic elements. */
export const blog: Template = (topic) => ({
  main: all(topic),
  chrome: [...f.menu, ...f.share, ...f.related, ...f.comments, f.author, f.footer],
  html: `<html><head><title>${topic.title} &#8211; Notes from the shed</title></head><body class="post-template-default single-post with-sidebar">
<div id="page" class="hfeed site"><div id="masthead" class="site-header"><div class="site-branding"><p class="site-title"><a href="/">Notes from the shed</a></p></div>
<div id="site-navigation" class="main-navigation"><ul id="primary-menu" class="menu">${anchors(f.menu)}</ul></div></div>
<div id="content" class="site-content"><div id="primary" class="content-area"><div id="post-12" class="post hentry category-promo">
<div class="entry-header"><h1 class="entry-title">${topic.title}</h1><div class="entry-meta">${topic.date} by ${topic.author}</div></div>
<div class="entry-content"><p><strong>${topic.lead}</strong></p>${paragraphs(topic.paragraphs)}<h2>In short</h2><ul>${items(topic.points)}</ul>
<table><tbody>${topic.facts.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('')}</tbody></table>
<div class="sharedaddy sd-sharing-enabled"><h3>Share</h3><ul>${anchors(f.share)}</ul></div><div id="jp-relatedposts" class="jp-relatedposts related-posts"><ul>${anchors(f.related)}</ul></div></div>
<div class="author-bio"><p>${f.author}</p></div></div>
<div id="comments" class="comments-area"><ol>${f.comments.map((text) => `<li><p>${text}</p></li>`).join('')}</ol><div id="respond"><form><textarea></textarea></form></div></div></div>
<div id="secondary" class="widget-area sidebar"><div class="widget"><h2>Recent</h2><ul>${anchors(f.related)}</ul></div></div></div>
<div id="colophon" class="site-footer"><p>${f.footer}</p></div></div></body></html>`,
})

/** An AMP page for phones. */
export const phonePage: Template = (topic) => ({
  main: textOf(topic, 'title', 'lead', 'paragraphs'),
  chrome: [...f.menu, f.cookies, f.advert, f.app, f.footer],
  html: `<!doctype html><html amp><head><meta charset="utf-8"><title>${topic.title}</title><style amp-boilerplate>body{visibility:hidden}</style></head>
<body><amp-sidebar id="side" layout="nodisplay"><ul>${anchors(f.menu)}</ul></amp-sidebar>
<amp-consent layout="nodisplay"><div id="consent"><p>${f.cookies}</p></div></amp-consent>
<header class="amp-header"><button on="tap:side.toggle">☰</button></header>
<article><h1>${topic.title}</h1><p>${topic.lead}</p><amp-img src="a.jpg" width="4" height="3"></amp-img>
${paragraphs(topic.paragraphs.slice(0, 3))}<amp-ad type="x" width="300" height="250"><div>${f.advert}</div></amp-ad>${paragraphs(topic.paragraphs.slice(3))}</article>
<div class="app-banner promo"><p>${f.app}</p></div><footer><small>${f.footer}</small></footer></body></html>`,
})

/** A recipe after a long introduction, below a banner that covers it. */
export const recipe: Template = (topic) => ({
  main: all(topic),
  chrome: [...f.menu, f.cookies, f.newsletter, f.app, f.footer],
  html: `<!doctype html><title>${topic.title}</title><div class="gdpr-overlay"><div class="modal"><p>${f.cookies}</p>${anchors(f.cookieButtons)}</div></div>
<div class="wrap"><div class="topbar"><a href="/app">${f.app}</a></div><div class="nav-wrapper"><ul>${anchors(f.menu)}</ul></div>
<div class="container"><div class="row"><div class="col-8" itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">${topic.title}</h1>
<div class="intro"><p>${topic.lead}</p>${paragraphs(topic.paragraphs)}</div>
<div class="ingredients"><h2>What you need</h2><ul>${topic.facts.map(([name, value]) => `<li><span>${name}</span> <b>${value}</b></li>`).join('')}</ul></div>
<div class="method"><h2>How</h2><ol itemprop="recipeInstructions">${items(topic.points)}</ol></div></div>
<div class="col-4"><div class="subscribe-box"><p>${f.newsletter}</p><form><input></form></div></div></div></div>
<div class="page-footer"><p>${f.footer}</p></div></div>`,
})

/** A magazine without meaningful names: its classes are generated. */
export const machineMade: Template = (topic) => ({
  main: textOf(topic, 'title', 'lead', 'paragraphs'),
  chrome: [...f.menu, ...f.related, f.footer],
  html: `<!doctype html><html><head><meta property="og:title" content="${topic.title}"></head><body><div id="__next"><div class="css-1x2y3z"><div class="css-9ab"><div class="css-77"><a href="/">Mag</a>${f.menu.map((text) => `<a href="/s">${text}</a>`).join('<span>·</span>')}</div></div>
<div class="css-4d5"><div class="css-e01"><div class="css-e02"><h1 class="css-k1">${topic.title}</h1><div class="css-k2">${topic.lead}</div></div>
<div class="css-k3">${topic.paragraphs.map((text) => `<div class="css-p"><span>${text}</span></div>`).join('')}</div></div>
<div class="css-f01"><div class="css-f02">${f.related.map((text) => `<a href="/r"><div>${text}</div></a>`).join('')}</div></div></div>
<div class="css-g01"><span>${f.footer}</span></div></div></div></body></html>`,
})
