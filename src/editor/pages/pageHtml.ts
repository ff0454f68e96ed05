import { escapeHtml } from '../../base/escapeHtml.ts';

/** A script or stylesheet of a page. The page has nothing to wait for when it carries the text itself. */
export type PageFile =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'address'; readonly address: string };

/** The frame of every page: a strict policy, its script, and an empty body that the script fills. */
export function pageHtml(parts: {
	readonly nonce: string;
	/** CSP source for styles, fonts and pictures. */
	readonly styleSource: string;
	readonly script: PageFile;
	readonly styles: readonly PageFile[];
	/** BCP 47 tag. */
	readonly language: string;
	readonly title: string;
	/** Plain JSON. */
	readonly subject: unknown;
	/** Separates this page's messages from those of its predecessor in the tab. */
	readonly life: number;
	/** Plain JSON, or `undefined`. */
	readonly start: unknown;
}): string {
	const { nonce, styleSource, script, styles, language, title, subject, life, start } = parts;
	const styleSources = [
		...(styles.some(({ kind }) => kind === 'text') ? [`'nonce-${nonce}'`] : []),
		...(styles.some(({ kind }) => kind === 'address') ? [styleSource] : []),
	];
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src ${styleSources.join(' ')}`,
		`font-src ${styleSource}`,
		`img-src ${styleSource} data:`,
		"form-action 'none'",
		"base-uri 'none'",
		"require-trusted-types-for 'script'",
	].join('; ');
	const key = `nonce="${escapeHtml(nonce)}"`;
	const links = styles.map((style) =>
		style.kind === 'text'
			? `<style ${key}>${style.text}</style>`
			: `<link rel="stylesheet" href="${escapeHtml(style.address)}">`,
	);
	const code =
		script.kind === 'text'
			? `<script ${key}>${script.text}</script>`
			: `<script ${key} src="${escapeHtml(script.address)}"></script>`;
	// Browsers never execute this type. Without a `<`, the content can't close the block.
	const data =
		start === undefined
			? ''
			: `<script type="application/json" id="start">${JSON.stringify(start).replaceAll('<', '\\u003c')}</script>\n`;
	return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${links.join('\n')}
</head>
<body>
<div id="page" data-subject="${escapeHtml(JSON.stringify(subject))}" data-life="${life}"></div>
<div id="title" class="read-aloud" role="status"></div>
${data}${code}
</body>
</html>`;
}
