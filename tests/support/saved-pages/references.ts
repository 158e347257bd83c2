import { boilerplate as f } from './boilerplate.ts'
import type { Template } from './saved-page.ts'
import { all, anchors, items, paragraphs, textOf } from './saved-page.ts'

/** Documentation with a tree of pages on the left, and the headings of the page on the right. */
export const docs: Template = (topic, others) => ({
  main: all(topic),
  chrome: [...f.menu, f.skip, ...others.map(({ title }) => title), f.footer],
  html: `<!doctype html><html lang="en" data-theme="dark"><head><title>${topic.title} | Manual</title></head><body>
<a href="#content" class="sr-only focus:not-sr-only">${f.skip}</a><header class="header"><div class="navbar__inner">${f.menu.map((text) => `<a class="navbar__item" href="#">${text}</a>`).join('')}<button>Search</button></div></header>
<div class="page sl-flex"><nav class="sidebar" aria-label="Main"><ul>${anchors(others.map(({ title }) => title))}</ul></nav>
<div class="main-frame"><main data-pagefind-body><div class="content-panel"><h1 id="_top">${topic.title}</h1></div><div class="content-panel sl-markdown-content">
<p>${topic.lead}</p><aside aria-label="Note" class="starlight-aside starlight-aside--note"><p class="starlight-aside__title">Note</p><section><p>${topic.paragraphs[0]}</p></section></aside>
<h2 id="how">How it works<a class="headerlink" href="#how" aria-label="Link to this heading">#</a></h2>${paragraphs(topic.paragraphs.slice(1))}
<h2 id="rules">Rules</h2><ol>${items(topic.points)}</ol><div class="table-wrapper"><table><thead><tr><th>What</th><th>Figure</th></tr></thead><tbody>${topic.facts.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('')}</tbody></table></div></div>
<footer class="sl-flex"><div class="pagination-links"><a href="/n">${others[0]?.title}</a></div><p>${f.footer}</p></footer></main></div></div></body></html>`,
})

/** An encyclopedia article with an infobox, contents, notes, and boxes of links below. */
export const encyclopedia: Template = (topic, others) => ({
  main: all(topic),
  chrome: [...f.menu, ...others.map(({ title }) => title), f.footer, 'Jump to search'],
  html: `<!DOCTYPE html><html class="client-nojs"><head><meta charset="UTF-8"><title>${topic.title} - Commonplace</title></head><body class="skin-vector ns-0">
<div id="mw-head"><div class="vector-menu"><ul>${anchors(f.menu)}</ul></div></div><div id="content" class="mw-body" role="main"><h1 id="firstHeading">${topic.title}</h1>
<div id="bodyContent"><div id="siteSub" class="noprint">From Commonplace</div><a class="mw-jump-link skip-link" href="#search">Jump to search</a>
<div id="mw-content-text"><div class="mw-parser-output"><table class="infobox"><caption>Facts</caption><tbody>${topic.facts.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}<sup class="reference"><a href="#cite">[1]</a></sup></td></tr>`).join('')}</tbody></table>
<p><b>${topic.lead}</b></p><div id="toc" class="toc" role="navigation"><h2>Contents</h2><ul><li><a href="#a">History</a></li></ul></div>
<h2><span class="mw-headline" id="a">History</span><span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2>
${topic.paragraphs.map((text) => `<p>${text}<sup class="reference"><a href="#cite-1">[1]</a></sup></p>`).join('')}
<h2><span class="mw-headline">Practice</span></h2><ul>${items(topic.points)}</ul>
<div class="navbox" role="navigation"><table><tr><td><ul>${anchors(others.map(({ title }) => title))}</ul></td></tr></table></div></div></div>
<div id="catlinks" class="catlinks"><a href="/c">Category: things</a></div></div></div>
<div id="footer" class="mw-footer"><ul><li>${f.footer}</li></ul></div></body></html>`,
})

/** A tutorial whose code has an element around every word, and line numbers in a gutter. */
export const tutorial: Template = (topic) => ({
  main: [
    ...textOf(topic, 'title', 'lead', 'paragraphs'),
    'const tide = readTable(harbour)',
    'return tide.height + margin',
  ],
  chrome: [...f.menu, f.newsletter, f.author, f.footer],
  html: `<!doctype html><html><head><title>${topic.title}</title></head><body><div class="navbar navbar-expand"><ul>${anchors(f.menu)}</ul></div>
<div class="container"><div class="tutorial-body"><h1>${topic.title}</h1><p class="lead">${topic.lead}</p>${paragraphs(topic.paragraphs.slice(0, 2))}
<div class="highlight"><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1
2
</pre></td><td class="rouge-code"><pre><span class="kd">const</span> <span class="nx">tide</span> <span class="o">=</span> <span class="nf">readTable</span>(harbour) <span class="c1 comment">// once</span>
</pre></td></tr></tbody></table></div>${paragraphs(topic.paragraphs.slice(2, 4))}
<pre><code class="language-js"><span class="line"><span class="k">return</span> tide.height + margin</span></code></pre>${paragraphs(topic.paragraphs.slice(4))}
<div class="author-box"><p>${f.author}</p></div><div class="newsletter"><p>${f.newsletter}</p></div></div></div><footer>${f.footer}</footer></body></html>`,
})

/** An API reference: terms and tables, little prose. */
export const reference: Template = (topic) => ({
  main: all(topic),
  chrome: [...f.menu, f.footer, f.skip],
  html: `<!doctype html><html><head><title>${topic.title} (reference)</title></head><body><div role="navigation" class="nav-side"><a href="#m">${f.skip}</a><ul>${anchors(f.menu)}</ul></div>
<div role="main" id="m"><section><h1>${topic.title}<a class="headerlink" href="#m">¶</a></h1><p>${topic.lead}</p>
<dl class="py function"><dt class="sig"><code>wind(days)</code></dt><dd><p>${topic.paragraphs[0]}</p><p>${topic.paragraphs[1]}</p></dd>
<dt class="sig"><code>oil(parts)</code></dt><dd><p>${topic.paragraphs[2]}</p></dd></dl>
<h2>Parameters</h2><table class="docutils"><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody>${topic.facts.map(([name, value]) => `<tr><td><code>${name}</code></td><td>${value}</td></tr>`).join('')}</tbody></table>
${paragraphs(topic.paragraphs.slice(3))}<ul class="simple">${items(topic.points)}</ul></section></div><div role="contentinfo"><p>${f.footer}</p></div></body></html>`,
})

/** A changelog by version. */
export const changelog: Template = (topic) => ({
  main: all(topic),
  chrome: [...f.menu, ...f.legalLinks, f.footer],
  html: `<!doctype html><html><head><title>Releases: ${topic.title}</title></head><body><div class="header"><div class="menu">${f.menu.map((text) => `<a href="/">${text}</a>`).join(' ')}</div></div>
<div class="content"><h1>${topic.title}</h1><p>${topic.lead}</p>${topic.paragraphs.map((text, at) => `<h2>2.${9 - at}.0 <small>${2024 - at}</small></h2><ul><li>${text}</li></ul>`).join('')}
<h2>Before that</h2><ul>${items(topic.points)}${topic.facts.map(([name, value]) => `<li>${name}: ${value}</li>`).join('')}</ul></div>
<div class="footer"><p>${f.footer}</p>${f.legalLinks.map((text) => `<a href="/l">${text}</a>`).join(' | ')}</div></body></html>`,
})

/** The page of a repository: the text of a file between the controls of the site. */
export const repository: Template = (topic, others) => ({
  main: all(topic),
  chrome: [...f.menu, f.app, f.footer, ...others.slice(0, 2).map(({ author }) => `Latest commit by ${author}`)],
  html: `<!doctype html><html><head><title>keeper/${topic.title}</title></head><body class="logged-out env-production"><div class="AppHeader-globalBar"><nav><ul>${anchors(f.menu)}</ul></nav></div>
<div class="application-main"><main id="js-repo-pjax-container"><div class="Layout"><div class="Layout-main"><table aria-labelledby="folders" class="files"><tbody>${others
    .slice(0, 2)
    .map(({ author }) => `<tr><td><a href="/f">src</a></td><td><a href="/c">Latest commit by ${author}</a></td></tr>`)
    .join('')}</tbody></table>
<div id="readme"><article class="markdown-body entry-content" itemprop="text"><div class="markdown-heading"><h1>${topic.title}</h1><a class="anchor" href="#t"><svg><title>Link</title></svg></a></div><p>${topic.lead}</p>
${paragraphs(topic.paragraphs)}<h2>Use</h2><ul>${items(topic.points)}</ul><table><thead><tr><th>Key</th><th>Value</th></tr></thead><tbody>${topic.facts.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('')}</tbody></table></article></div></div>
<div class="Layout-sidebar"><div class="BorderGrid"><h2>About</h2><p>${f.app}</p></div></div></div></main></div><footer class="footer"><p>${f.footer}</p></footer></body></html>`,
})
