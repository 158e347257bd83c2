import { boilerplate as f } from './boilerplate.ts'
import type { Template } from './saved-page.ts'
import { all, anchors, items, paragraphs, textOf } from './saved-page.ts'

/** A forum thread: the posts are the text, and each has the card of its author beside it. */
export const forum: Template = (topic) => ({
  main: textOf(topic, 'title', 'lead', 'paragraphs'),
  chrome: [...f.menu, f.footer, 'Joined in spring'],
  html: `<!doctype html><html><head><title>${topic.title} - The Shed Forum</title></head><body id="phpbb" class="nojs"><div id="wrap" class="wrap"><div id="page-header"><div class="navbar"><ul class="nav-main linklist">${anchors(f.menu)}</ul></div></div>
<div id="page-body" class="page-body"><h2 class="topic-title"><a href="/t">${topic.title}</a></h2>
${[topic.lead, ...topic.paragraphs].map((text, at) => `<div id="p${at}" class="post has-profile bg${at % 2}"><div class="inner"><dl class="postprofile"><dt><a href="/u">keeper${at}</a></dt><dd>Joined in spring</dd></dl><div class="postbody"><h3><a href="#p${at}">Re: it</a></h3><div class="content">${text}${at % 2 ? '<blockquote><div>quoted before</div></blockquote>' : ''}</div></div></div></div>`).join('\n')}</div>
<div id="page-footer" class="page-footer"><div class="navbar"><ul>${anchors(['Delete cookies', 'The team'])}</ul></div><div class="copyright">${f.footer}</div></div></div></body></html>`,
})

/** A product page: description and data between buttons. */
export const product: Template = (topic) => ({
  main: all(topic),
  chrome: [...f.menu, ...f.related, f.newsletter, f.footer, 'In stock, leaves us tomorrow'],
  html: `<!doctype html><html><head><title>Buy: ${topic.title}</title></head><body><header><nav>${f.menu.map((text) => `<a href="/">${text}</a>`).join('')}</nav></header><nav class="breadcrumb" aria-label="Breadcrumb"><ol>${anchors(['Shop', 'Things'])}</ol></nav>
<main><div class="product"><div class="product-media"><img src="1.jpg" alt=""></div><div class="product-info"><h1>${topic.title}</h1><form action="/cart"><p>In stock, leaves us tomorrow</p><select><option>1</option></select><button>Put into the basket</button></form>
<div class="description"><p>${topic.lead}</p>${paragraphs(topic.paragraphs)}</div><ul class="features">${items(topic.points)}</ul>
<h2>Figures</h2><table class="specs">${topic.facts.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')}</table></div></div>
<section class="recommendations"><h2>Others looked at</h2><ul>${anchors(f.related)}</ul></section></main>
<footer><div class="newsletter"><p>${f.newsletter}</p></div><p>${f.footer}</p></footer></body></html>`,
})

/** An old page: everything is in tables, and paragraphs are separated by two line breaks. */
export const tables: Template = (topic) => ({
  main: textOf(topic, 'title', 'lead', 'paragraphs'),
  chrome: [...f.menu, f.footer, f.advert],
  html: `<HTML><HEAD><TITLE>${topic.title}</TITLE></HEAD><BODY BGCOLOR="#FFFFFF"><CENTER><TABLE WIDTH=760 BORDER=0><TR><TD COLSPAN=3><IMG SRC="logo.gif" ALT=""><BR>
${f.menu.map((text) => `<A HREF="m.htm">${text}</A>`).join(' | ')}</TD></TR><TR VALIGN=top><TD WIDTH=120 BGCOLOR="#CCCCCC"><FONT SIZE=-1>${f.menu.map((text) => `<A HREF="n.htm">${text}</A><BR>`).join('\n')}<A HREF="ad.htm">${f.advert}</A></FONT></TD>
<TD><TABLE CELLPADDING=8><TR><TD><FONT FACE="Times" SIZE=5><B>${topic.title}</B></FONT><BR><BR><I>${topic.lead}</I><BR><BR>
${topic.paragraphs.join('<BR><BR>\n')}</TD></TR></TABLE></TD><TD WIDTH=100>&nbsp;</TD></TR><TR><TD COLSPAN=3 ALIGN=center><HR><FONT SIZE=-2><A HREF="c.htm">${f.footer}</A></FONT></TD></TR></TABLE></CENTER></BODY></HTML>`,
})

/** A page rendered by a program, with one sentence for browsers without scripts. */
export const shell: Template = (topic) => ({
  main: [topic.lead],
  chrome: [],
  html: `<!doctype html><html><head><title>${topic.title}</title><script>window.__STATE__={"a":"<p>${f.advert}</p>"}</script></head><body><noscript>${topic.lead}</noscript><div id="root"></div><script src="/app.js"></script></body></html>`,
})

/** Legal text with nested numbered sections. */
export const legal: Template = (topic) => ({
  main: all(topic),
  chrome: [...f.menu, f.cookies, f.footer],
  html: `<!doctype html><html><head><title>Terms: ${topic.title}</title></head><body><div class="cookie-notice" id="cookie-notice">${f.cookies}</div><div class="top-nav">${f.menu.map((text) => `<a href="/">${text}</a>`).join('')}</div>
<div class="legal-document"><h1>${topic.title}</h1><p>${topic.lead}</p><ol class="clauses">${topic.paragraphs.map((text, at) => `<li><strong>Clause ${at + 1}.</strong> ${text}${at === 1 ? `<ol type="a">${items(topic.points)}</ol>` : ''}</li>`).join('')}</ol>
<h2>Definitions</h2><dl>${topic.facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl></div><div class="site-footer">${f.footer}</div></body></html>`,
})

/** Questions with answers that open when clicked. */
export const questions: Template = (topic) => ({
  main: textOf(topic, 'title', 'lead', 'paragraphs', 'points'),
  chrome: [...f.menu, f.footer, 'Was this page helpful?', ...f.share],
  html: `<!doctype html><html><head><title>Help: ${topic.title}</title></head><body><div class="help-center"><header role="banner"><div class="logo">Help</div><ul class="nav">${anchors(f.menu)}</ul></header>
<div class="faq"><h1>${topic.title}</h1><p>${topic.lead}</p>${topic.paragraphs.map((text, at) => `<details${at === 0 ? ' open' : ''}><summary>${topic.points[at % topic.points.length]}</summary><p>${text}</p></details>`).join('\n')}
<div class="feedback-widget"><p>Was this page helpful?</p><button>Yes</button></div><div class="social-links"><ul>${anchors(f.share)}</ul></div></div><footer><p>${f.footer}</p></footer></div></body></html>`,
})

/** A mailing list message in preformatted text. */
export const letter: Template = (topic, others) => ({
  main: textOf(topic, 'lead', 'paragraphs'),
  chrome: [...others.slice(0, 2).map(({ title }) => `Next message: ${title}`), f.footer],
  html: `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><HTML><HEAD><TITLE>[tides] ${topic.title}</TITLE></HEAD><BODY><H1>[tides] ${topic.title}</H1><B>${topic.author}</B> <A HREF="mailto:x">keeper at shed.example</A><BR><I>${topic.date}</I>
<UL>${others
    .slice(0, 2)
    .map(({ title }) => `<LI><A HREF="n.html">Next message: ${title}</A></LI>`)
    .join('')}</UL><HR>
<PRE>${topic.lead}

${topic.paragraphs.map((text) => text.replace(/(.{60,75}) /g, '$1\n')).join('\n\n')}

&gt; an older line &lt;with marks&gt;
-- 
${topic.author}
</PRE><HR><A HREF="/info">${f.footer}</A></BODY></HTML>`,
})

/** A page in generic div elements, in a right-to-left or non-Latin script. */
export const divisions: Template = (topic, others) => ({
  main: all(topic),
  chrome: [...others.slice(0, 3).map(({ title }) => title)],
  html: `<!doctype html><html dir="auto"><head><meta charset="utf-8"><title>${topic.title}</title></head><body><div class="head"><div class="global-nav"><ul>${anchors(others.slice(0, 3).map(({ title }) => title))}</ul></div></div>
<div class="wrapper"><div class="left"><div class="headline">${topic.title}</div><div class="date">${topic.date} ${topic.author}</div><div class="text"><p>${topic.lead}</p>${paragraphs(topic.paragraphs)}<ul>${items(topic.points)}</ul><p>${topic.facts.map(([name, value]) => `${name} ${value}`).join('<br>')}</p></div></div>
<div class="right"><div class="ranking"><ol>${anchors(others.slice(0, 3).map(({ title }) => title))}</ol></div></div></div></body></html>`,
})
